import { describe, expect, it } from 'vitest';
import { type AccessBounds, getAccessBounds, effectiveAccess } from '../../../src/security/index.ts';
import { allBut, everything, nothing, only, rule, type RuleParts } from './rules.ts';

const anna = { userId: 'anna', groupIds: ['red', 'blue'] };

function getRegionAccess(
  rules: readonly unknown[],
  groups?: 'union' | 'intersection',
  party: { userId?: string; groupIds: readonly string[] } = anna,
): string {
  const columns = effectiveAccess(rules, party, groups === undefined ? undefined : { groups });
  expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual(['Stores.Region']);
  const [{ verdict, values } = { verdict: 'none', values: [] }] = columns;
  return [verdict, ...values.toSorted((a, b) => (a < b ? -1 : 1))].join(' ');
}

it.each([null, 'text', { table: '' }, { column: '' }, { table: 5 }, { column: undefined }])(
  'a rule that names no table or no column is ignored: %j',
  (invalid) => {
    const rules = [
      invalid === null || typeof invalid === 'string' ? invalid : { ...rule(only('A')), ...invalid },
    ];
    expect(effectiveAccess(rules, anna)).toEqual([]);
  },
);

describe('what a party sees of one column (platform-facts.md, 3.2, 3.3; decisions.md, "Stable interfaces")', () => {
  it.each<[string, readonly unknown[], string]>([
    ['only', [rule(only('North'), 'user:anna')], 'only North'],
    ['all but', [rule(allBut('North'), 'user:anna')], 'except North'],
    ['Everything', [rule(everything, 'user:anna')], 'all'],
    ['Everything ignores its members', [rule({ members: ['x'], allMembers: true }, 'user:anna')], 'all'],
    ['Nothing', [rule(nothing, 'user:anna')], 'none'],
    ['Nothing without a list', [rule({ allMembers: false }, 'user:anna')], 'none'],
    ['only a group', [rule(only('A'), 'group:red')], 'only A'],
    [
      'user and group: what both allow',
      [rule(only('A', 'B'), 'user:anna'), rule(only('B', 'C'), 'group:red')],
      'only B',
    ],
    [
      'user and group with nothing in common',
      [rule(only('A'), 'user:anna'), rule(only('C'), 'group:red')],
      'none',
    ],
    [
      'user Everything, group list: the narrower',
      [rule(everything, 'user:anna'), rule(only('C'), 'group:red')],
      'only C',
    ],
    ['user list, group Everything', [rule(only('C'), 'user:anna'), rule(everything, 'group:red')], 'only C'],
    [
      'default for a user whom no rule names',
      [rule(only('A'), 'user:ben'), rule(only('Z'), 'default')],
      'only Z',
    ],
    [
      'default ignored beside a user rule',
      [rule(only('A'), 'user:anna'), rule(nothing, 'default')],
      'only A',
    ],
    ['default ignored beside a group rule', [rule(everything, 'group:red'), rule(nothing, 'default')], 'all'],
    ['no rule matches and no default', [rule(only('A'), 'user:ben')], 'ambiguous'],
    ['a flag that is no boolean', [{ ...rule(only('A'), 'user:anna'), exclusionary: 'true' }], 'ambiguous'],
    ['a rule whose shares were dropped', [rule(only('A'))], 'ambiguous'],
    ['Everything and Nothing', [rule(everything, 'user:anna'), rule(nothing, 'user:anna')], 'none'],
    ['a list and Nothing', [rule(only('A'), 'user:anna'), rule(nothing, 'user:anna')], 'none'],
    [
      'Everything and an exclusion',
      [rule(everything, 'user:anna'), rule(allBut('A'), 'user:anna')],
      'except A',
    ],
    [
      'a list and an exclusion',
      [rule(only('A', 'B'), 'user:anna'), rule(allBut('A'), 'user:anna')],
      'only B',
    ],
    [
      'a list and an exclusion of all of it',
      [rule(only('A'), 'user:anna'), rule(allBut('A'), 'user:anna')],
      'none',
    ],
    ['two exclusions', [rule(allBut('A'), 'group:red'), rule(allBut('B'), 'group:blue')], 'except A B'],
    ['two lists of one user', [rule(only('A'), 'user:anna'), rule(only('B'), 'user:anna')], 'ambiguous'],
    ['two lists of one group', [rule(only('A'), 'group:red'), rule(only('B'), 'group:red')], 'ambiguous'],
    ['two lists for everyone else', [rule(only('A'), 'default'), rule(only('B'), 'default')], 'ambiguous'],
    [
      'the same list of one user, twice',
      [rule(only('A', 'B'), 'user:anna'), rule(only('B', 'A'), 'user:anna')],
      'only A B',
    ],
    [
      'user Everything beside a list',
      [rule(everything, 'user:anna'), rule(only('B'), 'user:anna')],
      'ambiguous',
    ],
    [
      'a list and an exclusion of two groups',
      [rule(only('A', 'B'), 'group:red'), rule(allBut('B'), 'group:blue')],
      'only A',
    ],
    [
      'the same list of two groups',
      [rule(only('A', 'B'), 'group:red'), rule(only('B', 'A'), 'group:blue')],
      'only A B',
    ],
    ['one rule for two groups', [rule(only('A'), 'group:red', 'group:blue')], 'only A'],
    ['two group lists', [rule(only('A'), 'group:red'), rule(only('B'), 'group:blue')], 'ambiguous'],
    [
      'group Everything beside a list',
      [rule(everything, 'group:red'), rule(only('B'), 'group:blue')],
      'ambiguous',
    ],
    ['two group Everything', [rule(everything, 'group:red'), rule(everything, 'group:blue')], 'all'],
    [
      'Nothing of a group wins over two lists',
      [rule(only('A'), 'group:red'), rule(only('B'), 'group:blue'), rule(nothing, 'group:red')],
      'none',
    ],
    [
      'Nothing of the user wins over two group lists',
      [rule(only('A'), 'group:red'), rule(only('B'), 'group:blue'), rule(nothing, 'user:anna')],
      'none',
    ],
    ['a group of somebody else', [rule(only('A'), 'group:red'), rule(only('B'), 'group:green')], 'only A'],
    ['an empty list with allMembers null', [rule({ members: [] }, 'user:anna')], 'ambiguous'],
    [
      'Nothing beside an uncertain rule',
      [rule({ members: [] }, 'user:anna'), rule(nothing, 'group:red')],
      'none',
    ],
    ['members with allMembers false', [rule({ members: ['A'], allMembers: false }, 'user:anna')], 'only A'],
    ['numbers as members', [rule({ members: [1, '2'] }, 'user:anna')], 'only 1 2'],
    ['members that cannot be read', [rule({ members: [{}] }, 'user:anna')], 'ambiguous'],
    [
      'partyId in place of party',
      [{ ...rule(only('A')), shares: [{ type: 'user', partyId: 'anna' }] }],
      'only A',
    ],
    [
      'an empty party beside partyId',
      [{ ...rule(only('A')), shares: [{ type: 'user', party: '', partyId: 'anna' }] }],
      'only A',
    ],
    ['an id is case sensitive', [rule(only('A'), 'user:Anna'), rule(nothing, 'default')], 'none'],
    ['a user is no group', [rule(only('A'), 'group:anna'), rule(nothing, 'default')], 'none'],
  ])('%s', (_name, rules, expected) => {
    expect(getRegionAccess(rules)).toBe(expected);
    expect(getRegionAccess(rules.toReversed())).toBe(expected);
  });

  it.each<[string, RuleParts, RuleParts, string, string]>([
    ['lists without a common value', only('A'), only('B'), 'only A B', 'none'],
    ['lists that overlap', only('A', 'B'), only('B', 'C'), 'only A B C', 'only B'],
    ['Everything and a list', everything, only('B'), 'all', 'only B'],
  ])(
    '%s, of two groups, one group, one user or everyone else: uncertain until the user chooses how they combine',
    (...row) => {
      const [, firstParts, secondParts, union, intersection] = row;
      for (const [first, second] of [
        ['group:red', 'group:blue'],
        ['group:red', 'group:red'],
        ['user:anna', 'user:anna'],
        ['default', 'default'],
      ] as const) {
        const rules = [rule(firstParts, first), rule(secondParts, second)];
        expect(getRegionAccess(rules)).toBe('ambiguous');
        expect(getRegionAccess(rules, 'union')).toBe(union);
        expect(getRegionAccess(rules, 'intersection')).toBe(intersection);
      }
    },
  );

  it('shows what a group and everyone else see', () => {
    const rules = [rule(only('A'), 'group:red'), rule(nothing, 'default')];
    expect(getRegionAccess(rules, undefined, { groupIds: ['red'] })).toBe('only A');
    expect(getRegionAccess(rules, undefined, { groupIds: [] })).toBe('none');
    const rulesWithNumericIds = [rule(only('A'), 'user:5', 'group:6'), rule(nothing, 'default')];
    expect(getRegionAccess(rulesWithNumericIds, undefined, { userId: '5', groupIds: [] })).toBe('only A');
    const ruleForUndefined = [rule(only('A'), 'user:undefined'), rule(nothing, 'default')];
    expect(getRegionAccess(ruleForUndefined, undefined, { groupIds: [] })).toBe('none');
    expect(getRegionAccess(rulesWithNumericIds, undefined, { userId: 5, groupIds: [6] } as never)).toBe(
      'none',
    );
    expect(getRegionAccess([rule(only('A'), 'user:')], undefined, { userId: '', groupIds: [''] })).toBe(
      'ambiguous',
    );
  });
});

describe('bounds of an uncertain verdict', () => {
  const formatVerdict = ({ verdict, values }: AccessBounds['atLeast']): string =>
    [verdict, ...values].join(' ');
  const getBounds = (rules: readonly unknown[], party: Parameters<typeof getAccessBounds>[1]): string[] =>
    getAccessBounds(rules, party).flatMap(({ atLeast, atMost }) => [
      formatVerdict(atLeast),
      formatVerdict(atMost),
    ]);
  const withUnknownGroups = { userId: 'anna', groupIds: [], groupsUnknown: true };

  it.each<[string, readonly unknown[], string, string]>([
    ['certain', [rule(only('A'), 'user:anna')], 'only A', 'only A'],
    [
      'two lists',
      [rule(only('A', 'B'), 'group:red'), rule(only('B', 'C'), 'group:blue')],
      'only B',
      'only A B C',
    ],
    ['Everything and a list', [rule(everything, 'user:anna'), rule(only('A'), 'user:anna')], 'only A', 'all'],
    ['no rule', [rule(only('A'), 'user:ben')], 'none', 'all'],
    [
      'an uncertain rule and an exclusion',
      [rule({ members: [] }, 'user:anna'), rule(allBut('A'), 'user:anna')],
      'none',
      'except A',
    ],
    [
      'a user list narrows both',
      [rule(only('A', 'B'), 'group:red'), rule(only('B', 'C'), 'group:blue'), rule(only('A'), 'user:anna')],
      'none',
      'only A',
    ],
  ])('%s', (_name, rules, atLeast, atMost) => expect(getBounds(rules, anna)).toEqual([atLeast, atMost]));

  it.each<[string, readonly unknown[], string, readonly [string, string]]>([
    ['no group rules: nothing is in doubt', [rule(only('A'), 'user:anna')], 'only', ['only A', 'only A']],
    [
      'the default, or what a group may see',
      [rule(nothing, 'default'), rule(only('A'), 'group:red')],
      'ambiguous',
      ['none', 'only A'],
    ],
    [
      'a group can only narrow what the user may see',
      [rule(only('A', 'B'), 'user:anna'), rule(only('B'), 'group:red'), rule(everything, 'group:blue')],
      'ambiguous',
      ['only B', 'only A B'],
    ],
    [
      'no group takes anything away or adds to it',
      [rule(only('A'), 'default'), rule(only('A'), 'group:red')],
      'only',
      ['only A', 'only A'],
    ],
    [
      'Nothing of the user is certain',
      [rule(nothing, 'user:anna'), rule(only('A'), 'group:red')],
      'none',
      ['none', 'none'],
    ],
  ])('if groups are unknown: %s', (_name, rules, verdict, bounds) => {
    expect(effectiveAccess(rules, withUnknownGroups)[0]?.verdict).toBe(verdict);
    expect(getBounds(rules, withUnknownGroups)).toEqual(bounds);
  });

  it('access is certain if the group is known, and for a group alone or everyone else', () => {
    const rules = [rule(only('A'), 'group:red'), rule(nothing, 'default')];
    expect(effectiveAccess(rules, { ...withUnknownGroups, groupIds: ['red'] })[0]?.verdict).toBe('only');
    expect(effectiveAccess(rules, { groupIds: [], groupsUnknown: true })[0]?.verdict).toBe('none');
  });
});

describe('the origin of a verdict', () => {
  it('names user and group rules, and the default only if it applies', () => {
    const rules = [
      rule({ id: 'd', ...nothing }, 'default'),
      rule({ id: 'g', ...only('A') }, 'group:red', 'group:blue'),
      rule({ id: 'u', ...only('A', 'B') }, 'user:anna'),
      rule({ ...everything, column: 'Stores.Country' }, 'default'),
    ];
    expect(effectiveAccess(rules, anna)).toEqual([
      {
        table: 'Stores',
        column: 'Region',
        verdict: 'only',
        values: ['A'],
        because: [
          { ruleId: 'u', via: 'user' },
          { ruleId: 'g', via: 'group' },
        ],
      },
      { table: 'Stores', column: 'Country', verdict: 'all', values: [], because: [{ via: 'default' }] },
    ]);
    expect(effectiveAccess(rules, { groupIds: [] })[0]?.because).toEqual([{ ruleId: 'd', via: 'default' }]);
    // If the groups of a user are unknown, only rules for the user are certain to apply.
    const uncertain = [
      rule({ id: 'g', ...only('A') }, 'group:red'),
      rule({ id: 'u', ...only('A') }, 'user:anna'),
      rule({ id: 'd', ...nothing }, 'default'),
    ];
    const getReasons = (userId: string) =>
      effectiveAccess(uncertain, { userId, groupIds: [], groupsUnknown: true })[0]?.because;
    expect(getReasons('ben')).toEqual([]);
    expect(getReasons('anna')).toMatchObject([{ ruleId: 'u' }]);
  });

  it('names nothing if no rule matches', () => {
    expect(effectiveAccess([rule(only('A'), 'user:ben')], anna)[0]).toMatchObject({
      verdict: 'ambiguous',
      because: [],
    });
  });

  it('keeps columns apart by table and by case', () => {
    const columns = ['Stores.Region', 'Customers.Region', 'stores.Region', 'Stores.region'];
    const rules = columns.map((column, index) => rule({ ...only(`${index}`), column }, 'user:anna'));
    expect(
      effectiveAccess(rules, anna).map(({ table, column, values }) => [`${table}.${column}`, ...values]),
    ).toEqual(columns.map((column, index) => [column, `${index}`]));
  });
});
