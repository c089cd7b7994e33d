import { describe } from 'vitest';
import { laterChanges } from './laterChanges.ts';
import { testRecorded } from './testRecorded.ts';

describe('what another user has changed since is kept or overwritten by undos and restores as recorded', () => {
  testRecorded('laterChanges.txt', laterChanges);
});
