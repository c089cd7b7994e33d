import * as fc from 'fast-check';
import { isSoak } from './soak.ts';

// Except in `npm run soak`, property tests generate the same examples in each run, so that a failure is caused by a
// change of the code. A soak generates new examples and reports the seed of a failure.
if (!isSoak) {
  fc.configureGlobal({ seed: 20_261_122 });
}
