import { describe, expect, it } from 'vitest';
import {
  type RuleDifferenceInput,
  computeRuleDifference,
} from '../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { getUnresolvedParties } from '../../../src/security/ruleTable/unresolvedParties.ts';
import { formatRuleTable } from '../../../src/security/ruleTable/formatRuleTable.ts';
import { allBut, everything, liveRule, nothing, only, rule } from './rules.ts';

const binding = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const createTable = (rules: readonly unknown[]) => parseRuleTable(formatRuleTable(rules)).rules;

function computeDifference(
  target: readonly unknown[],
  current: readonly unknown[],
  overrides: Partial<RuleDifferenceInput> = {},
) {
  return computeRuleDifference({
    tableRules: createTable(target),
    existingRules: current,
    binding,
    mode: 'all',
    findPartyId: ({ idOrName }) => idOrName,
    ...overrides,
  });
}

const formatRules = (rules: readonly unknown[]): readonly string[] =>
  rules.map((each) =>
    JSON.stringify(each).replaceAll(/"(?:server|elasticube|table|datatype)":"[^"]*",?/g, ''),
  );

it.each<[string, RuleDifferenceInput['binding'], readonly unknown[]]>([
  ['a live datamodel without rules', { kind: 'live', title: 'Support' }, []],
  [
    'a live datamodel whose rules show that the server accepts it',
    { kind: 'live', title: 'Support' },
    [{ ...liveRule({ id: 'l', ...only('x') }, 'user:bob'), exclusionary: false }],
  ],
  [
    'an extract datamodel, whatever its rules show',
    binding,
    [{ ...rule({ id: 'n', ...only('x') }, 'user:bob'), exclusionary: undefined }],
  ],
])('a rule that hides values can be added to %s', (_name, target, current) => {
  const { adds, obstacles } = computeDifference([rule(allBut('A'), 'user:anna')], current, {
    binding: target,
  });
  expect(obstacles).toEqual([]);
  expect(adds).toMatchObject([{ members: ['A'], exclusionary: true }]);
});

describe('the changes by a table of rules', () => {
  const north = rule({ id: 'n', ...only('North') }, 'user:anna', 'group:red');
  const defaultRule = rule({ id: 'd', ...nothing }, 'default');

  it('keep existing rules, in any order and grouping', () => {
    const ungroupedRules = [
      rule(only('North'), 'group:red'),
      rule(nothing, 'default'),
      rule(only('North'), 'user:anna'),
    ];
    expect(computeDifference(ungroupedRules, [north, defaultRule])).toMatchObject({
      adds: [],
      deletes: [],
      unchangedCount: 2,
      obstacles: [],
    });
    expect(computeDifference([north, defaultRule], ungroupedRules)).toMatchObject({
      adds: [],
      deletes: [],
      unchangedCount: 3,
    });
  });

  it('replace a rule that is right for some of its parties only', () => {
    const target = [rule(only('North'), 'user:anna'), rule(only('South'), 'group:red'), defaultRule];
    const { adds, deletes, unchangedCount: unchanged } = computeDifference(target, [north, defaultRule]);
    expect(formatRules(adds)).toEqual([
      '{"column":"Region","members":["North"],"allMembers":null,"exclusionary":false,"shares":[{"party":"anna","type":"user"}]}',
      '{"column":"Region","members":["South"],"allMembers":null,"exclusionary":false,"shares":[{"party":"red","type":"group"}]}',
    ]);
    expect(deletes.map(({ index, rule: { _id } }) => [index, _id])).toEqual([[0, 'n']]);
    expect(unchanged).toBe(1);
  });

  it('delete duplicates', () => {
    expect(
      computeDifference([north], [north, { ...north, _id: 'again' }]).deletes.map(({ index }) => index),
    ).toEqual([1]);
  });

  it('delete only what the mode replaces', () => {
    const other = rule({ id: 'o', ...nothing, column: 'Stores.Country' }, 'default');
    const target = [rule(only('South'), 'user:anna')];
    const getDeletedIds = (mode: RuleDifferenceInput['mode']) =>
      computeDifference(target, [north, other], { mode }).deletes.map(({ rule: { _id } }) => _id);
    expect(getDeletedIds('all')).toEqual(['n', 'o']);
    expect(getDeletedIds('columns')).toEqual(['n']);
    expect(getDeletedIds('add')).toEqual([]);
  });

  it('name their obstacles', () => {
    const catalog = {
      complete: true,
      tables: [
        {
          name: 'Stores',
          columns: [
            { name: 'Region', type: 8 },
            { name: 'Opened', type: 31 },
          ],
        },
      ],
    };
    const target = [
      rule(allBut('1'), 'group:Sales'),
      rule({ ...nothing, column: 'Stores.region' }, 'default'),
      rule({ ...nothing, column: 'Shops.Region' }, 'default'),
      rule({ ...nothing, column: 'Stores.Opened' }, 'default'),
      rule({ ...nothing, column: 'Store.Region' }, 'default'),
    ];
    const live = { kind: 'live', title: 'Support' } as const;
    // A server whose live rules do not show `exclusionary` does not accept it.
    const current = [liveRule({ id: 'l', ...only('x') }, 'user:bob')];
    expect(getUnresolvedParties(createTable(target), [])).toEqual([{ type: 'group', idOrName: 'Sales' }]);
    expect(
      computeDifference(target, current, {
        catalog,
        binding: live,
        findPartyId: () => undefined,
      }).obstacles.map(({ code, rows, args, closestName }) =>
        [code, ...rows, ...args, closestName ?? '-'].join(' '),
      ),
    ).toEqual([
      'party-not-found 2 group Sales -',
      'exclusionary-live 2 Stores Region -',
      'unknown-column 3 Stores region Region',
      'unknown-table 4 Shops Region -',
      'date-column 5 Stores Opened -',
      'unknown-table 6 Store Region Stores',
    ]);
    const { adds, obstacles } = computeDifference(target.slice(0, 1), [], {
      catalog,
      findPartyId: () => 'g1',
    });
    expect(obstacles).toEqual([]);
    expect(adds).toMatchObject([{ shares: [{ type: 'group', party: 'g1' }] }]);
  });

  it('name a value that is not a number on a column of numbers', () => {
    const catalog = { complete: true, tables: [{ name: 'Stores', columns: [{ name: 'Region', type: 8 }] }] };
    const listObstacles = (target: readonly string[], overrides: Partial<RuleDifferenceInput>) =>
      computeDifference([rule(only(...target), 'user:anna')], [], overrides).obstacles.map(
        ({ code, rows, args }) => [code, ...rows, ...args].join(' '),
      );
    expect(listObstacles(['1', '-2.50', '1e5', '.5'], { catalog })).toEqual([]);
    for (const text of ['abc', '', '1,5', ' 1', '12 kg']) {
      expect(listObstacles(['1', text], { catalog })).toEqual([`not-a-number 2 3 Stores Region ${text}`]);
    }
    expect(listObstacles(['abc'], {})).toEqual([]);
    const numeric = [{ ...rule(only('1'), 'user:anna'), datatype: 'numeric' }];
    expect(
      computeDifference([rule(only('abc'), 'user:anna')], numeric).obstacles.map(({ code }) => code),
    ).toEqual(['not-a-number']);
  });

  it('take the datatype of a column from the catalog, else from its rules, else text', () => {
    const catalog = { complete: true, tables: [{ name: 'Stores', columns: [{ name: 'Region', type: 8 }] }] };
    const withDatatype = (datatype: unknown, column = 'Stores.Region') => ({
      ...rule({ id: 'n', ...only('1'), column }, 'user:anna'),
      datatype,
    });
    const getDatatype = (current: readonly unknown[], overrides: Partial<RuleDifferenceInput> = {}) =>
      computeDifference([{ ...rule(only('2'), 'user:ben'), datatype: undefined }], current, overrides)
        .adds[0]?.['datatype'];
    expect(getDatatype([])).toBe('text');
    expect(getDatatype([withDatatype('numeric')])).toBe('numeric');
    expect(getDatatype([withDatatype('text')], { catalog })).toBe('numeric');
    for (const invalid of ['', 5, null, undefined]) {
      expect(getDatatype([withDatatype('numeric'), withDatatype(invalid)])).toBe('numeric');
    }
    expect(getDatatype([null, 'rule', withDatatype('numeric', 'Stores.Size')])).toBe('text');
  });

  it('compare ten thousand rules with ten thousand', () => {
    const createRules = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, index) =>
        rule({ id: `${index}`, ...only(`${index % 1000 === 0 ? prefix : ''}${index}`) }, `user:u${index}`),
      );
    const {
      adds,
      deletes,
      unchangedCount: unchanged,
    } = computeDifference(createRules('new'), createRules('old'));
    expect([adds.length, deletes.length, unchanged]).toEqual([10, 10, 9990]);
    expect(computeDifference([], createRules('old')).deletes).toHaveLength(10_000);
  });

  it('take the IDs of parties from existing rules', () => {
    expect(getUnresolvedParties(createTable([north, defaultRule]), [north])).toEqual([]);
    expect(
      computeDifference([rule(everything, 'user:anna')], [north], { findPartyId: () => undefined }).obstacles,
    ).toEqual([]);
  });
});

describe('a table of rules that the datamodel already has, although they could not be added now', () => {
  const catalog = {
    complete: true,
    tables: [
      {
        name: 'Stores',
        columns: [
          { name: 'Size', type: 8 },
          { name: 'Opened', type: 31 },
          { name: 'Area', type: 18 },
        ],
      },
    ],
  };
  const createRuleOn = (table: string, column: string, ...parts: Parameters<typeof rule>) => ({
    ...rule(...parts),
    table,
    column,
  });
  const stale = [
    createRuleOn('Shops', 'Region', { id: 'a', ...only('North') }, 'user:anna', 'group:red'),
    createRuleOn('Stores', 'Region', { id: 'b', ...allBut('North') }, 'default'),
    createRuleOn('Stores', 'Opened', { id: 'c', ...only('2024-01-01') }, 'group:red'),
    { ...createRuleOn('Stores', 'Size', { id: 'd', ...only('big') }, 'group:red'), datatype: 'numeric' },
  ];
  const staleCodes = ['unknown-table', 'unknown-column', 'date-column', 'not-a-number'];
  const newRule = [{ id: 'e', ...only('South') }, 'group:red'] as const;
  const compare = (target: readonly unknown[], overrides: Partial<RuleDifferenceInput> = {}) =>
    computeDifference(target, stale, { catalog, findPartyId: () => undefined, ...overrides });

  it.each(['all', 'columns', 'add'] as const)('changes nothing, and has no errors (mode %s)', (mode) => {
    const difference = compare(stale, { mode });
    expect(difference).toMatchObject({
      adds: [],
      deletes: [],
      obstacles: [],
      unchangedCount: 4,
      isUnchanged: true,
    });
    expect(difference.obstacleWarnings.map(({ code }) => code)).toEqual(staleCodes);
  });

  it.each<[string, RuleDifferenceInput['mode'], readonly unknown[], readonly unknown[]]>([
    // The column was renamed after the export: its former rules restrict nothing, and its new rules would be lost.
    [
      'would delete rules on the new name of a column',
      'all',
      stale,
      [createRuleOn('Stores', 'Area', ...newRule)],
    ],
    [
      'would delete a rule on the same column',
      'columns',
      stale,
      [createRuleOn('Shops', 'Region', ...newRule)],
    ],
    ['would add a rule on another column', 'add', [...stale, createRuleOn('Stores', 'Area', ...newRule)], []],
  ])('has the errors of these rules if it %s', (_text, mode, target, added) => {
    const difference = compare(target, { mode, existingRules: [...stale, ...added] });
    expect(difference.adds.length + difference.deletes.length).toBe(1);
    expect(difference).toMatchObject({ unchangedCount: 4, obstacleWarnings: [], isUnchanged: false });
    expect(difference.obstacles.map(({ code }) => code)).toEqual(staleCodes);
  });

  it.each<[string, readonly unknown[], readonly string[]]>([
    ['with another value', [{ ...stale[0], members: ['South'] }], ['unknown-table']],
    ['with another access', [{ ...stale[1], exclusionary: false }], ['unknown-column']],
    [
      'for one of its users and groups only',
      [createRuleOn('Shops', 'Region', only('North'), 'group:red')],
      ['unknown-table'],
    ],
    [
      'for somebody else',
      [createRuleOn('Stores', 'Region', allBut('North'), 'user:anna')],
      ['unknown-column'],
    ],
    [
      'for somebody who is not known',
      [createRuleOn('Stores', 'Region', allBut('North'), 'user:gone')],
      ['party-not-found', 'unknown-column'],
    ],
    ['on another column', [{ ...stale[1], column: 'Part' }], ['unknown-column']],
    ['a second time', [stale[1], stale[1]], ['unknown-column', 'unknown-column']],
  ])('has an error for a rule %s', (_text, target, codes) => {
    const { obstacles } = compare(target);
    expect(obstacles.map(({ code }) => code)).toEqual(codes);
  });
});
