import { test } from 'vitest';
import { expectRecorded } from './expectRecorded.ts';
import { laterChanges } from './laterChanges.ts';

test('what another user has changed since is kept or overwritten by undos and restores as recorded', async () => {
  await expectRecorded('laterChanges.txt', laterChanges);
});
