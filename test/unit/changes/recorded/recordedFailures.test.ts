import { describe } from 'vitest';
import { failures } from './failures.ts';
import { testRecorded } from './testRecorded.ts';

describe('operations that fail at any request are resumed and rolled back as recorded', () => {
  testRecorded('failures.txt', failures);
});
