import * as fc from 'fast-check';
import { isSoak } from './soak.ts';

// The gate tests the same examples each time, so that a failure means that something was changed; a soak generates new
// ones and reports the seed of a failure.
if (!isSoak) {
  fc.configureGlobal({ seed: 20_261_122 });
}
