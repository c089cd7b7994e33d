import { expect, it } from 'vitest';
import { type ChangeSummary, countChanges } from '../../../../src/webviews/protocol/ruleChange.ts';
import {
  toChangeLine,
  matchesFilter,
  getNoChangesMessage,
} from '../../../../src/webviews/ruleChange/changeLine.ts';
import { createLocalize } from '../../../../src/webviews/shared/localize.ts';

const t = createLocalize(undefined);
const change: ChangeSummary = {
  kind: 'change',
  column: 'Stores.Region',
  party: { type: 'group', name: 'Sales [1]' },
  before: [{ kind: 'only', values: ['North'], moreCount: 3 }],
  after: [
    { kind: 'nothing', values: [], moreCount: 0 },
    { kind: 'except', values: ['West'], moreCount: 0 },
  ],
};

it('a change is described on one line', () => {
  expect(toChangeLine(change, t)).toEqual({
    kind: 'change',
    kindText: 'Change',
    column: 'Stores.Region',
    party: 'Group Sales [1]',
    before: 'only "North" and 3 more',
    after: 'no values + all but "West"',
  });
});

it('lines are found by all words of a filter, in any column', () => {
  const line = toChangeLine(change, t);
  expect(matchesFilter(line, '')).toBe(true);
  expect(matchesFilter(line, 'sales WEST')).toBe(true);
  expect(matchesFilter(line, 'sales east')).toBe(false);
});

it('each kind of change is counted', () => {
  expect(countChanges([change, { ...change, kind: 'add' }, change])).toEqual({
    add: 1,
    change: 2,
    delete: 0,
  });
});

it('the reason why nothing changes is shown', () => {
  const warning = { severity: 'warning', text: 'In no rule yet' } as const;
  const mapped = { key: 'a', sourceColumn: 'A.B', targetColumn: 'C.D', ruleCount: 1 };
  const unmapped = { ...mapped, targetColumn: '' };
  expect(getNoChangesMessage({ problems: [] }, t)).toMatch(/^Nothing to change/);
  expect(getNoChangesMessage({ problems: [warning], mapping: [mapped, unmapped] }, t)).toMatch(
    /^Nothing to change/,
  );
  expect(getNoChangesMessage({ problems: [warning], mapping: [unmapped] }, t)).toBe(
    'Nothing to copy. No columns are mapped.',
  );
  expect(
    getNoChangesMessage({ problems: [{ severity: 'error', text: 'No column' }], mapping: [unmapped] }, t),
  ).toMatch(/^Fix these problems/);
});
