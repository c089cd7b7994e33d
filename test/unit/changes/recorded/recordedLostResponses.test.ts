import { test } from 'vitest';
import { expectRecorded } from './expectRecorded.ts';
import { lostResponses } from './failures.ts';

test('if the response of a write of any kind is lost, its outcome is found out as recorded', async () => {
  await expectRecorded('lostResponses.txt', lostResponses);
});
