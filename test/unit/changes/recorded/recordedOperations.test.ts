import { test } from 'vitest';
import { expectRecorded } from './expectRecorded.ts';
import { operations } from './scenarios.ts';

test('operations of every kind are planned, carried out, recorded in the history, and undone as recorded', async () => {
  await expectRecorded(
    'operations.txt',
    Object.entries(operations).map(([name, writes]) => ({ name, writes })),
  );
});
