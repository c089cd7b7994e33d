import { expect, it } from 'vitest';
import type { ShownChange } from '../../../../src/webviews/protocol/ruleChange.ts';
import { countsOf, lineOf, matches, noChangesText } from '../../../../src/webviews/ruleChange/words.ts';
import { readWords } from '../../../../src/webviews/shared/words.ts';

const t = readWords(undefined);
const change: ShownChange = {
  kind: 'change',
  column: 'Stores.Region',
  party: { type: 'group', name: 'Sales [1]' },
  before: [{ kind: 'only', values: ['North'], more: 3 }],
  after: [
    { kind: 'nothing', values: [], more: 0 },
    { kind: 'except', values: ['West'], more: 0 },
  ],
};

it('words a change on one line', () => {
  expect(lineOf(change, t)).toEqual({
    kind: 'change',
    kindText: 'Change',
    column: 'Stores.Region',
    party: 'Group Sales [1]',
    before: 'only North, 3 more',
    after: 'nothing + all but West',
  });
});

it('finds lines by all words of a filter, in any column', () => {
  const line = lineOf(change, t);
  expect(matches(line, '')).toBe(true);
  expect(matches(line, 'sales WEST')).toBe(true);
  expect(matches(line, 'sales east')).toBe(false);
});

it('counts each kind', () => {
  expect(countsOf([change, { ...change, kind: 'add' }, change])).toEqual({ add: 1, change: 2, delete: 0 });
});

it('says of an unreadable table that nothing is known, not that nothing changes', () => {
  expect(noChangesText([], t)).toMatch(/^Nothing changes/);
  expect(noChangesText([{ severity: 'warning', text: 'In no rule yet' }], t)).toMatch(/^Nothing changes/);
  expect(noChangesText([{ severity: 'error', text: 'No column' }], t)).not.toMatch(/Nothing changes/);
});
