import { test } from 'vitest';
import { expectRecorded } from './expectRecorded.ts';
import { failures } from './failures.ts';

test('operations that fail at any request are resumed and rolled back as recorded', async () => {
  await expectRecorded('failures.txt', failures);
});
