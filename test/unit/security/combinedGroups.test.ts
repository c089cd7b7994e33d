import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeAccessDifference } from '../../../src/security/change/accessDifference.ts';
import { type AccessDifferenceRow, getRowParties } from '../../../src/security/change/accessDifferenceRow.ts';
import { Memberships, dependsOnMemberships } from '../../../src/security/membership/memberships.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';

/** The values of the column; no rule names the last one. */
const values = ['x', 'y', 'z'];
const contents = {
  nothing: { document: nothing, shown: [] },
  everything: { document: everything, shown: values },
  x: { document: only('x'), shown: ['x'] },
  xOrY: { document: only('x', 'y'), shown: ['x', 'y'] },
  notX: { document: allBut('x'), shown: ['y', 'z'] },
} as const;
type ContentName = keyof typeof contents;

/** The content of the rule for each party of a column; without those that have no rule. */
type ColumnRules = Readonly<Partial<Record<'a' | 'b' | 'c' | 'others', ContentName>>>;

const toRules = (rules: ColumnRules): readonly unknown[] =>
  Object.entries(rules).map(([party, content]) =>
    rule(contents[content].document, party === 'others' ? 'default' : `group:${party}`),
  );

/** Returns the values that a user in these groups sees (platform-facts.md, 3.3), with this way to combine lists. */
function getShown(
  rules: ColumnRules,
  groups: readonly string[],
  lists: 'union' | 'intersection',
): readonly string[] {
  const applied = groups.flatMap((group) => rules[group as 'a'] ?? []);
  const names = applied.length > 0 ? applied : [rules.others ?? 'everything'];
  if (names.includes('nothing')) {
    return [];
  }
  const allowLists = names
    .filter((name) => name !== 'notX')
    .map((name): readonly string[] => contents[name].shown);
  return values.filter(
    (value) =>
      !(names.includes('notX') && value === 'x') &&
      (allowLists.length === 0 ||
        (lists === 'union'
          ? allowLists.some((list) => list.includes(value))
          : allowLists.every((list) => list.includes(value)))),
  );
}

const arbitraryContent = fc.constantFrom(...(Object.keys(contents) as ContentName[]));
/** Everyone else has a rule: what applies without one is not known. */
const arbitraryRules: fc.Arbitrary<ColumnRules> = fc.record(
  { a: arbitraryContent, b: arbitraryContent, c: arbitraryContent, others: arbitraryContent },
  { requiredKeys: ['others'] },
);
/** Rules, and what they become: some of them are replaced, deleted, or added. */
const arbitraryChange = fc
  .tuple(arbitraryRules, arbitraryRules, fc.subarray(['a', 'b', 'c', 'others'] as const, { minLength: 1 }))
  .map(([before, other, replaced]) => {
    const after = { ...before };
    for (const party of replaced) {
      delete after[party];
      Object.assign(after, other[party] === undefined ? {} : { [party]: other[party] });
    }
    return { before, after };
  });

const compare = (before: ColumnRules, after: ColumnRules, memberships: Memberships) =>
  computeAccessDifference({
    before: { rules: toRules(before) },
    after: { rules: toRules(after) },
    memberships,
  });

const getGroups = (row: AccessDifferenceRow): readonly string[] =>
  getRowParties(row).flatMap(({ type, id }) => (type === 'group' && id !== undefined ? [id] : []));

const groupSets: readonly (readonly string[])[] = [
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'c'],
  ['a', 'b', 'c'],
];

describe('users in several groups', () => {
  test('who gain or lose access are reported, or one of their groups is, or everyone else', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.subarray([...groupSets]), ({ before, after }, knownSets) => {
        const { rows } = compare(before, after, new Memberships(undefined, knownSets));
        for (const groups of knownSets) {
          const users = groups.join(' and ');
          const readings = (['union', 'intersection'] as const).map((lists) => ({
            old: new Set(getShown(before, groups, lists)),
            current: new Set(getShown(after, groups, lists)),
          }));
          const rowsOfGroups = rows.filter((row) => getGroups(row).every((group) => groups.includes(group)));
          const gains = readings.some(({ old, current }) => !current.isSubsetOf(old));
          const loses = readings.some(({ old, current }) => !old.isSubsetOf(current));
          expect(gains && !rowsOfGroups.some(({ effect }) => effect !== 'loses'), `${users} gain`).toBe(
            false,
          );
          expect(loses && !rowsOfGroups.some(({ effect }) => effect !== 'gains'), `${users} lose`).toBe(
            false,
          );
          for (const row of rowsOfGroups.filter((each) => getGroups(each).length === groups.length)) {
            expect(row.effect !== 'loses' && !gains, `${users} gain nothing`).toBe(false);
            expect(row.effect !== 'gains' && !loses, `${users} lose nothing`).toBe(false);
          }
        }
        // Nobody is in other combinations.
        const combined = rows.map(getGroups).filter(({ length }) => length > 1);
        expect(
          combined.filter((ids) => !knownSets.some((known) => ids.every((id) => known.includes(id)))),
        ).toEqual([]);
      }),
      { numRuns: getPropertyRuns(2000) },
    );
  });

  test('whose memberships are unknown are reported as uncertain, for any two groups together', () => {
    const { rows } = compare(
      { a: 'x', b: 'nothing', c: 'notX', others: 'nothing' },
      { a: 'x', c: 'notX', others: 'nothing' },
      new Memberships(),
    );
    expect(rows.map((row) => [getGroups(row), row.effect, row.isUncertain])).toEqual([
      [['b', 'a'], 'gains', true],
      [['b', 'c'], 'gains', true],
    ]);
  });

  test('are reported if the row of one of their groups would show less access than they have afterward', () => {
    const { rows } = compare(
      { a: 'notX', b: 'xOrY', others: 'nothing' },
      { a: 'x', others: 'nothing' },
      new Memberships(undefined, [['a', 'b']]),
    );
    // Without the row of both groups, the row of b would say that members of both see nothing.
    expect(rows.map((row) => [getGroups(row), row.effect])).toEqual([
      [['a'], 'changes'],
      [['a', 'b'], 'changes'],
      [['b'], 'loses'],
    ]);
  });

  test('are left out if a group that gains sees all that they see afterward, and listed if they see more', () => {
    const before = [
      rule(only('North', 'South'), 'group:sales'),
      rule(only('Nordics', 'North'), 'group:salesNorth'),
      rule(only('Alps', 'South'), 'group:salesSouth'),
      rule(nothing, 'default'),
    ];
    const { rows } = computeAccessDifference({
      before: { rules: before },
      after: { rules: [rule(only('Alps', 'North', 'South'), 'group:sales'), ...before.slice(1)] },
    });
    // If lists narrow each other, members of Sales South gain Alps, too: that is what Sales gains.
    expect(rows.map((row) => [getGroups(row), row.effect])).toEqual([
      [['sales'], 'gains'],
      [['sales', 'salesNorth'], 'gains'],
    ]);
  });

  test('are compared only for the groups whose rules change, however many there are', () => {
    const groups = Array.from({ length: 2000 }, (_value, index) => `g${index}`);
    const before = [
      ...groups.map((group, index) => rule(only(`v${index}`), `group:${group}`)),
      rule(nothing, 'group:denied'),
      rule(nothing, 'default'),
    ];
    const sets = groups.map((group, index) => [
      group,
      groups[index + 1] ?? 'g0',
      ...(index === 7 ? ['denied'] : []),
    ]);
    const { rows, hasMoreCombinations } = computeAccessDifference({
      before: { rules: before },
      after: { rules: before.filter((_rule, index) => index !== groups.length) },
      memberships: new Memberships(undefined, sets),
    });
    expect(rows.map((row) => [getGroups(row), row.effect])).toEqual([[['denied', 'g7', 'g8'], 'gains']]);
    expect(hasMoreCombinations).toBe(false);
    const unknown = computeAccessDifference({
      before: { rules: before },
      after: { rules: before.filter((_rule, index) => index !== groups.length) },
    });
    expect([unknown.rows.length, unknown.hasMoreCombinations]).toEqual([20, true]);
  });
});

test.each([
  [['user:u', 'group:a'], true],
  [['group:a', 'group:b'], true],
  [['group:a', 'default'], false],
  [['user:u', 'user:v'], false],
])('rules for %j depend on memberships: %j', (shares, expected) => {
  expect(dependsOnMemberships(shares.map((share) => rule(nothing, share)))).toBe(expected);
  expect(dependsOnMemberships([rule(nothing, ...shares)])).toBe(expected);
});
