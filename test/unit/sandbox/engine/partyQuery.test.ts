import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/contract/rule.ts';
import type { QueryListCombination, QueryParty } from '../../../../src/sandbox/engine/columnAccess.ts';
import { getCubeFile } from '../../../../src/sandbox/engine/files.ts';
import { queryAsParty } from '../../../../src/sandbox/engine/partyQuery.ts';
import {
  createBaseTable,
  createCustomTable,
  EngineFolder,
  integerType,
  createModel,
  createRelation,
} from './models.ts';

const tables = [
  createBaseTable('Regions', [{ name: 'Id', type: integerType }, { name: 'Region' }]),
  createBaseTable('Stores', [
    { name: 'Id', type: integerType },
    { name: 'Region Id', type: integerType },
    { name: 'Store' },
  ]),
  createBaseTable('Sales', [
    { name: 'Store Id', type: integerType },
    { name: 'Product', type: integerType },
  ]),
  createBaseTable('Alone', [{ name: 'Id', type: integerType }]),
  createCustomTable('Wide', 'SELECT * FROM Sales'),
];
const relations = [
  createRelation('Stores/Region Id', 'Regions/Id'),
  createRelation('Sales/Store Id', 'Stores/Id'),
];

async function buildFolder(): Promise<EngineFolder> {
  const folder = new EngineFolder()
    .writeCsv('Regions', 'Id,Region', '1,North', '2,South', '3,West', '4,')
    .writeCsv('Stores', 'Id,Region Id,Store', '10,1,Kiel', '20,2,Ulm', '30,3,Trier', '40,4,Nowhere')
    .writeCsv('Sales', 'Store Id,Product', '10,1', '10,2', '20,1', '30,3', '40,4')
    .writeCsv('Alone', 'Id', '1');
  expect(await folder.build(createModel(tables, relations))).toMatchObject({ status: 'done' });
  return folder;
}

type Share = readonly ['user' | 'group' | 'default', string?];

const createRule = (
  column: string,
  content: { members?: string[]; allMembers?: boolean | null; exclusionary?: boolean },
  ...shares: readonly Share[]
): Rule => ({
  table: column.split('.')[0] ?? '',
  column: column.split('.')[1] ?? '',
  datatype: 'text',
  members: [],
  allMembers: null,
  ...content,
  shares: shares.map(([type, party]) => ({ type, ...(party === undefined ? {} : { party }) })),
});

const createRegionRule = (content: Parameters<typeof createRule>[1], ...shares: readonly Share[]): Rule =>
  createRule('Regions.Region', content, ...shares);

const anna: QueryParty = { userId: 'anna', groupIds: ['red', 'blue'] };

async function getRegions(
  rules: readonly Rule[],
  combination: QueryListCombination = 'union',
  party = anna,
): Promise<unknown> {
  using folder = await buildFolder();
  const sql = 'SELECT Region FROM Regions';
  return queryAsParty({
    cubeFile: getCubeFile(folder.path, 'model'),
    rules,
    party,
    combination,
    sql,
  }).map((row) => row['Region']);
}

const everything = { allMembers: true };
const nothing = { allMembers: false };
const only = (...members: string[]): object => ({ members });
const allBut = (...members: string[]): object => ({ members, exclusionary: true });
const allRegions = ['North', 'South', 'West', null];

describe('what a party sees of one column (platform-facts.md, 3.2, 3.3)', () => {
  const cases: readonly (readonly [string, readonly Rule[], unknown])[] = [
    ['no rule', [], allRegions],
    ['only', [createRegionRule(only('North'), ['user', 'anna'])], ['North']],
    ['all but', [createRegionRule(allBut('North'), ['user', 'anna'])], ['South', 'West', null]],
    ['Everything', [createRegionRule(everything, ['user', 'anna'])], allRegions],
    ['Nothing', [createRegionRule(nothing, ['user', 'anna'])], []],
    [
      'one rule, several parties',
      [createRegionRule(only('West'), ['user', 'ben'], ['group', 'red'])],
      ['West'],
    ],
    [
      'partyId in place of party',
      [{ ...createRegionRule(only('West')), shares: [{ type: 'user', partyId: 'anna' }] }],
      ['West'],
    ],
    ['default for a user without a rule', [createRegionRule(only('South'), ['default'])], ['South']],
    ['default Nothing', [createRegionRule(nothing, ['default'])], []],
    [
      'default ignored beside a rule',
      [createRegionRule(nothing, ['default']), createRegionRule(only('West'), ['group', 'red'])],
      ['West'],
    ],
    ['a rule for another user and no default', [createRegionRule(only('West'), ['user', 'ben'])], allRegions],
    [
      'user and group: only what both allow',
      [
        createRegionRule(only('North', 'West'), ['user', 'anna']),
        createRegionRule(only('West', 'South'), ['group', 'red']),
      ],
      ['West'],
    ],
    [
      'Everything and Nothing',
      [createRegionRule(everything, ['user', 'anna']), createRegionRule(nothing, ['user', 'anna'])],
      [],
    ],
    [
      'a list and Nothing',
      [createRegionRule(only('North'), ['user', 'anna']), createRegionRule(nothing, ['user', 'anna'])],
      [],
    ],
    [
      'Everything and an exclusion',
      [createRegionRule(everything, ['user', 'anna']), createRegionRule(allBut('North'), ['user', 'anna'])],
      ['South', 'West', null],
    ],
    [
      'a list and an exclusion of one of its values',
      [
        createRegionRule(only('North', 'South'), ['user', 'anna']),
        createRegionRule(allBut('North'), ['user', 'anna']),
      ],
      ['South'],
    ],
    [
      'a list and an exclusion of its only value',
      [
        createRegionRule(only('North'), ['user', 'anna']),
        createRegionRule(allBut('North'), ['user', 'anna']),
      ],
      [],
    ],
    ['names are case sensitive', [createRule('regions.region', nothing, ['user', 'anna'])], allRegions],
  ];

  it.each(cases)('%s', async (_name, rules, expected) => {
    expect(await getRegions(rules)).toEqual(expected);
  });

  const lists = [
    createRegionRule(only('North'), ['group', 'red']),
    createRegionRule(only('South'), ['group', 'blue']),
  ];
  const rulesWithEverything = [
    createRegionRule(everything, ['group', 'red']),
    createRegionRule(only('South'), ['group', 'blue']),
  ];
  it.each([
    ['union of lists', lists, 'union', ['North', 'South']],
    ['intersection of lists', lists, 'intersection', []],
    ['union with Everything', rulesWithEverything, 'union', allRegions],
    ['intersection with Everything', rulesWithEverything, 'intersection', ['South']],
  ] as const)('two groups: %s', async (_name, rules, combination, expected) => {
    expect(await getRegions(rules, combination)).toEqual(expected);
  });
});

describe('rules extend across tables (rest-api.md, "What the service does")', () => {
  async function queryAsAnna(rules: readonly Rule[], sql: string): Promise<unknown[][]> {
    using folder = await buildFolder();
    const rows = queryAsParty({
      cubeFile: getCubeFile(folder.path, 'model'),
      rules,
      party: anna,
      combination: 'union',
      sql,
    });
    return rows.map((row) => Object.values(row));
  }
  const northAndSouthRule = createRegionRule(only('North', 'South'), ['user', 'anna']);

  it('restricts linked tables, near and far [spec: service.linked-tables]', async () => {
    expect(await queryAsAnna([northAndSouthRule], 'SELECT Store FROM Stores')).toEqual([['Kiel'], ['Ulm']]);
    expect(await queryAsAnna([northAndSouthRule], 'SELECT COUNT(*) FROM Sales')).toEqual([[3]]);
  });

  it('restricts in both directions', async () => {
    const productRule = createRule('Sales.Product', { members: ['3'] }, ['user', 'anna']);
    expect(await queryAsAnna([productRule], 'SELECT Region FROM Regions')).toEqual([['West']]);
  });

  it('joins the conditions of several columns with AND', async () => {
    const productRule = createRule('Sales.Product', { members: ['1', 'x'] }, ['user', 'anna']);
    const storeRule = createRule('Stores.Store', { members: ['Kiel'] }, ['group', 'red']);
    expect(await queryAsAnna([northAndSouthRule, productRule], 'SELECT [Store Id] FROM Sales')).toEqual([
      [10],
      [20],
    ]);
    expect(
      await queryAsAnna([northAndSouthRule, productRule, storeRule], 'SELECT [Store Id] FROM Sales'),
    ).toEqual([[10]]);
  });

  it('requires one joined row that satisfies all conditions', async () => {
    const productRule = createRule('Sales.Product', { members: ['3'] }, ['user', 'anna']);
    const storeRule = createRule('Stores.Store', { members: ['Kiel'] }, ['user', 'anna']);
    expect(await queryAsAnna([productRule, storeRule], 'SELECT Region FROM Regions')).toEqual([]);
  });

  it('keeps rows of the restricted table that join nothing', async () => {
    const idRule = createRule('Regions.Id', { members: ['1', '4', '9'] }, ['user', 'anna']);
    expect(await queryAsAnna([idRule], 'SELECT Id FROM Regions')).toEqual([[1], [4]]);
  });

  it('does not restrict tables that no relation connects', async () => {
    expect(await queryAsAnna([createRegionRule(nothing, ['default'])], 'SELECT Id FROM Alone')).toEqual([
      [1],
    ]);
    expect(await queryAsAnna([createRegionRule(nothing, ['default'])], 'SELECT COUNT(*) FROM Wide')).toEqual([
      [5],
    ]);
  });

  it('apply in sub-selects, CTEs and joins [spec: service.rules-narrow]', async () => {
    const sql = `WITH s AS (SELECT * FROM Stores) SELECT (SELECT COUNT(*) FROM Sales), COUNT(*) FROM s JOIN Regions r ON r.Id = s.[Region Id]`;
    expect(await queryAsAnna([northAndSouthRule], sql)).toEqual([[3, 2]]);
  });

  const forbiddenQueries = [
    'SELECT 1; SELECT 2',
    'EXPLAIN SELECT * FROM Regions',
    '/* x */ -- y\n EXPLAIN QUERY PLAN SELECT * FROM Regions',
    'SELECT * FROM main.Regions',
    'WITH Regions AS (SELECT * FROM main.Regions) SELECT * FROM Regions',
    'SELECT * FROM sqlite_temp_master',
    'SELECT sql FROM sqlite_master',
    'SELECT * FROM [dm$meta]',
    'SELECT * FROM pragma_database_list',
    'SELECT * FROM [dm$rows1]',
    'SELECT * FROM temp.[dm$rows1]',
    'WITH Stores AS (SELECT * FROM [dm$rows1]) SELECT * FROM Stores',
    'SELECT * FROM (SELECT * FROM [dm$rows1]) AS Stores',
    "ATTACH 'x' AS y",
    'DROP VIEW Regions',
    'DELETE FROM Regions',
    'PRAGMA database_list',
    'CREATE TEMP TABLE t AS SELECT 1',
  ];
  it.each(forbiddenQueries)('rejects %s', async (sql) => {
    await expect(queryAsAnna([northAndSouthRule], sql)).rejects.toThrow(
      /not authorized|only a single SELECT|prohibited|no such table|syntax error|is a view|more than one/,
    );
  });

  it('lets a query name a CTE like a table with rules', async () => {
    using folder = await buildFolder();
    const file = getCubeFile(folder.path, 'model');
    const sql = 'WITH Regions AS (SELECT 1 AS Region) SELECT Region FROM Regions';
    expect(
      queryAsParty({ cubeFile: file, rules: [northAndSouthRule], party: anna, combination: 'union', sql }),
    ).toEqual([{ Region: 1 }]);
  });
});
