import { expect, test } from 'vitest';
import { getColumnAccess } from '../../../src/security/effectiveAccess.ts';
import { createRuleMatrix, toMatrixParty } from '../../../src/security/matrix/ruleMatrix.ts';
import { applyWhatIf, getWhatIfRuleKey, type HypotheticalRule } from '../../../src/security/whatIf/whatIf.ts';
import { everything, nothing, only, rule } from './rules.ts';

test('a rule is identified by its ID, or else by its index', () => {
  const rules = [
    rule({ id: 'a', ...nothing }, 'default'),
    rule(nothing, 'default'),
    { _id: '' },
    { _id: 5 },
    null,
    'a',
  ];
  expect(rules.map(getWhatIfRuleKey)).toEqual(['a', '#1', '#2', '#3', '#4', '#5']);
});

test('ignored rules leave an empty place, so that the others keep their index', () => {
  const [a, b, c] = [
    rule({ id: 'a', ...nothing }, 'default'),
    rule(everything, 'user:anna'),
    rule({ id: 'c' }),
  ];
  expect(applyWhatIf([a, b, c], { without: ['a', '#1', '#2'], drafts: [] })).toEqual([null, null, c]);
  expect(applyWhatIf([a, b, c], { without: [], drafts: [] })).toEqual([a, b, c]);
});

test.each<[HypotheticalRule['access'], readonly string[], object]>([
  ['only', ['North'], { kind: 'only', values: new Set(['North']) }],
  ['except', ['North'], { kind: 'except', values: new Set(['North']) }],
  ['everything', ['North'], { kind: 'except', values: new Set() }],
  ['nothing', ['North'], { kind: 'only', values: new Set() }],
])('a hypothetical rule with the access %s has that effect', (access, values, expected) => {
  const draft = { table: 'Stores', column: 'Region', access, values };
  const current = [rule(only('South'), 'default')];
  for (const [type, id, party] of [
    ['user', 'anna', { userId: 'anna', groupIds: [] }],
    ['group', 'red', { groupIds: ['red'] }],
  ] as const) {
    const rules = applyWhatIf(current, { without: [], drafts: [{ ...draft, party: { type, id } }] });
    expect(getColumnAccess(rules, party)[0]?.access).toEqual(expected);
  }
  const rules = applyWhatIf(current, { without: ['#0'], drafts: [{ ...draft, party: { type: 'default' } }] });
  expect(getColumnAccess(rules, { groupIds: [] })[0]?.access).toEqual(expected);
});

test('changed cells replace the rules for them, and the other rules keep their index', () => {
  const shared = rule(only('North'), 'user:anna', 'group:red');
  const current = [shared, rule({ id: 'b', ...nothing }, 'user:anna'), rule(nothing, 'default')];
  const region = createRuleMatrix(current).columns.filter(({ column }) => column === 'Region');
  const cells = region.map((column) => ({
    party: toMatrixParty({ type: 'user', id: 'anna' }),
    column,
    value: [{ kind: 'only', values: new Set(['South']) } as const],
  }));
  const rules = applyWhatIf(current, { without: [], drafts: [], cells });
  expect(rules).toMatchObject([
    { shares: [{ type: 'group', party: 'red' }] },
    null,
    current[2],
    { table: 'Stores', column: 'Region', members: ['South'], shares: [{ type: 'user', party: 'anna' }] },
  ]);
  const removed = applyWhatIf(current, {
    without: [],
    drafts: [],
    cells: cells.map((cell) => ({ ...cell, value: [] })),
  });
  expect(removed).toHaveLength(3);
  expect(getColumnAccess(removed, { userId: 'anna', groupIds: [] })[0]?.access).toEqual({
    kind: 'only',
    values: new Set(),
  });
});
