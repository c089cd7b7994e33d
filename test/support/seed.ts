import * as fc from 'fast-check';
import { isSoak } from './soak.ts';

// The gate tries the same examples each time, so that red means that something was changed; a soak looks for new ones,
// and tells the seed of what it finds.
if (!isSoak) {
  fc.configureGlobal({ seed: 20_261_122 });
}
