import { describe } from 'vitest';
import { operations } from './scenarios.ts';
import { testRecorded } from './testRecorded.ts';

describe('operations of every kind are planned, carried out, recorded in the history, and undone as recorded', () => {
  testRecorded(
    'operations.txt',
    Object.entries(operations).map(([name, writes]) => ({ name, writes })),
  );
});
