import { describe } from 'vitest';
import { lostResponses } from './failures.ts';
import { testRecorded } from './testRecorded.ts';

describe('if the response of a write of any kind is lost, its outcome is verified as recorded', () => {
  testRecorded('lostResponses.txt', lostResponses);
});
