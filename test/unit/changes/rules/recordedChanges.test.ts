import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatRecordedChange, parseRecordedChange, runRecordedChange } from './recordedChange.ts';

/**
 * Changes of rules, each with its requests: a line for each phase, after which the rules are read again. That no order
 * ever widens access is checked on random changes (`ruleChanges.test.ts`); these show which order it is, and that
 * nothing is sent without need. `vitest -u` records a different order, to be reviewed.
 */
const file = join(import.meta.dirname, 'recordedChanges.txt');

test('recorded changes of rules, with failures and with changes by another user, send the same requests in the same phases', async () => {
  const blocks = readFileSync(file, 'utf8').trimEnd().split('\n\n');
  const results = blocks.map(async (block) => {
    const change = parseRecordedChange(block.split('\n'));
    return [...formatRecordedChange(change), ...(await runRecordedChange(change))].join('\n');
  });
  await expect(`${(await Promise.all(results)).join('\n\n')}\n`).toMatchFileSnapshot(file);
});
