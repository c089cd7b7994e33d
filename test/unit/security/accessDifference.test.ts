import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessChange,
  type AccessState,
  computeAccessDifference,
} from '../../../src/security/change/accessDifference.ts';
import type { AccessDifferenceRow, VisibleValues } from '../../../src/security/change/accessDifferenceRow.ts';
import type { Party } from '../../../src/security/columnAccess.ts';
import { getColumnAccess, toVerdict } from '../../../src/security/effectiveAccess.ts';
import { getTableAccess } from '../../../src/security/tableAccess.ts';
import type { Catalog } from '../../../src/sql/index.ts';
import { Memberships } from '../../../src/security/membership/memberships.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';

/** Tables of two columns each, and relations between their IDs. */
const createCatalog = (tables: string, ...links: readonly string[]): Catalog => ({
  complete: true,
  tables: tables.split(' ').map((name) => ({ name, columns: [{ name: 'Id' }, { name: 'Region' }] })),
  relations: links.map((link) => ({ columns: link.split('-').map((table) => ({ table, column: 'Id' })) })),
});

const chainCatalog = createCatalog(
  'Regions Stores Orders Items',
  'Regions-Stores',
  'Stores-Orders',
  'Orders-Items',
);
const catalogWithoutStores = createCatalog('Regions Orders Items', 'Orders-Items');

const formatVerdict = ({ access }: Pick<VisibleValues, 'access'>): string => {
  if (typeof access === 'string') {
    return access;
  }
  const { verdict, values } = toVerdict(access);
  return values.length === 0 ? verdict : `${verdict} ${values.join('|')}`;
};

function formatRow(row: AccessDifferenceRow): string {
  const { party, otherGroupIds = [], effect, isUncertain } = row;
  const partyText = `${[party.id ?? 'else', ...otherGroupIds].join('+')} ${effect}${isUncertain ? '?' : ''}`;
  if (row.kind === 'column') {
    const { name, before, after } = row;
    return `${partyText} ${name.table}.${name.column}: ${formatVerdict(before)} → ${formatVerdict(after)}`;
  }
  const [before, after] = [row.before, row.after].map(({ verdict, conditions }) =>
    [verdict, ...conditions.map(({ name }) => `${name.table}.${name.column}`)].join(' '),
  );
  return `${partyText} ${row.tables.join(', ')}: ${before} → ${after}`;
}

const compare = (before: AccessState, after: AccessState, getOldName?: AccessChange['getOldName']) =>
  computeAccessDifference({ before, after, ...(getOldName === undefined ? {} : { getOldName }) }).rows.map(
    formatRow,
  );
const compareRules = (before: readonly unknown[], after: readonly unknown[]): readonly string[] =>
  compare({ rules: before, catalog: chainCatalog }, { rules: after, catalog: chainCatalog });

describe('changed rules', () => {
  it('equal rules make no difference, however they are grouped', () => {
    const before = [rule(only('North', 'South'), 'user:anna', 'group:red'), rule(nothing, 'default')];
    const after = [
      rule(nothing, 'default'),
      rule(only('South', 'North'), 'group:red'),
      rule(only('North', 'South'), 'user:anna'),
    ];
    expect(compareRules(before, after)).toEqual([]);
  });

  it('list gains first, then mixed changes, then losses', () => {
    const before = [
      rule(only('North'), 'group:lost', 'group:moved'),
      rule(only('North'), 'group:won'),
      rule(nothing, 'default'),
    ];
    const after = [
      rule(nothing, 'group:lost'),
      rule(only('South'), 'group:moved'),
      rule(allBut('South'), 'group:won'),
      rule(everything, 'default'),
    ];
    expect(compareRules(before, after)).toEqual([
      'else gains Stores.Region: none → all',
      'won gains Stores.Region: only North → except South',
      'moved changes Stores.Region: only North → only South',
      'lost loses Stores.Region: only North → none',
    ]);
  });

  it('list certain changes before uncertain ones, and groups before users', () => {
    const parties = ['user:ben', 'group:red', 'user:anna', 'group:blue'];
    const getRows = (after: readonly unknown[]) =>
      computeAccessDifference({
        before: { rules: [rule(nothing, 'default')], catalog: chainCatalog },
        after: { rules: [...after, rule(nothing, 'default')], catalog: chainCatalog },
      }).rows.map(({ party, isUncertain }) => `${party.type}${isUncertain ? '?' : ''}`);
    expect(getRows(parties.map((party) => rule(only('A'), party)))).toEqual([
      'group',
      'group',
      'user?',
      'user?',
    ]);
    const usersOnly = parties.filter((party) => party.startsWith('user'));
    expect(getRows(usersOnly.map((party) => rule(only('A'), party)))).toEqual(['user', 'user']);
  });

  it('without its last rule, a column is open to everyone', () => {
    expect(compareRules([rule(only('North'), 'group:red'), rule(nothing, 'default')], [])).toEqual([
      'else gains Stores.Region: none → all',
      'red gains Stores.Region: only North → all',
    ]);
  });

  it('a group without a rule sees what everyone else sees', () => {
    const everyoneElseRule = rule(nothing, 'default');
    expect(compareRules([rule(everything, 'group:red'), everyoneElseRule], [everyoneElseRule])).toEqual([
      'red loses Stores.Region: all → none',
    ]);
  });

  it('without a rule for everyone else, the access of the others is uncertain', () => {
    expect(compareRules([], [rule(only('North'), 'group:red')])).toEqual([
      'else loses? Stores.Region: all → no-rule',
      'red loses Stores.Region: all → only North',
    ]);
  });

  it('a change for a user is uncertain if their groups may have rules', () => {
    const others = [rule(only('West'), 'group:red'), rule(nothing, 'default')];
    expect(compareRules([rule(only('North'), 'user:anna'), ...others], others)).toEqual([
      // A member of the group sees West instead of nothing.
      'anna changes? Stores.Region: only North → none',
    ]);
    expect(compareRules(others, [rule(only('North'), 'user:anna'), ...others])).toEqual([
      'anna changes? Stores.Region: none → only North',
    ]);
    expect(
      compareRules([rule(only('North'), 'user:anna'), ...others], [rule(everything, 'user:anna'), ...others]),
    ).toEqual(['anna gains? Stores.Region: only North → all']);
  });

  it('a change for a user whose groups are known is certain', () => {
    const rulesForRed = [rule(only('West'), 'group:red'), rule(nothing, 'default')];
    const rulesForRedAndAnna = [rule(only('North', 'West'), 'user:anna'), ...rulesForRed];
    const getGroupIds = (userId: string): readonly string[] | undefined =>
      ({ anna: ['red'], ben: [] })[userId];
    const compareKnown = (before: readonly unknown[], after: readonly unknown[]) =>
      computeAccessDifference({
        before: { rules: before },
        after: { rules: after },
        memberships: new Memberships(getGroupIds),
      }).rows.map(formatRow);
    // The rule of the group restricts anna as well, so that her own rule makes no difference.
    expect(compareKnown(rulesForRed, rulesForRedAndAnna)).toEqual([]);
    expect(compareKnown(rulesForRedAndAnna, [rule(nothing, 'user:anna'), ...rulesForRed])).toEqual([
      'anna loses Stores.Region: only West → none',
    ]);
    expect(compareKnown([rule(only('North'), 'user:ben'), ...rulesForRed], rulesForRed)).toEqual([
      'ben loses Stores.Region: only North → none',
    ]);
    expect(compareKnown([rule(only('North'), 'user:carl'), ...rulesForRed], rulesForRed)).toEqual([
      'carl changes? Stores.Region: only North → none',
    ]);
  });

  describe('of parties whose access is uncertain', () => {
    const createLists = (...texts: readonly string[]) =>
      texts.map((text) => rule(only(...text.split(',')), 'group:red'));
    const unclearRule = rule({ members: [], allMembers: null }, 'group:red');
    const defaultRule = rule(nothing, 'default');

    it.each<[string, readonly unknown[], readonly unknown[], readonly string[]]>([
      ['the same lists', createLists('a', 'b'), createLists('b', 'a'), []],
      [
        'an unclear rule on both sides',
        [unclearRule],
        [unclearRule, rule(only('a'), 'user:anna')],
        ['anna changes?'],
      ],
      [
        'other lists with the same smallest access',
        createLists('a', 'b'),
        createLists('a', 'c'),
        ['red changes?'],
      ],
      [
        'other lists with the same largest access',
        createLists('a,b', 'a'),
        createLists('a,b', 'b'),
        ['red changes?'],
      ],
      ['lists and an unclear rule', createLists('a', 'b'), [unclearRule], ['red changes?']],
      ['one list, and then a larger one', createLists('a'), createLists('a', 'a,b'), ['red gains?']],
      ['two lists, and then the smaller one', createLists('a,b', 'a'), createLists('a'), ['red loses?']],
    ])('%s', (_name, before, after, expected) => {
      const rows = compareRules([...before, defaultRule], [...after, defaultRule]);
      expect(rows.map((row) => row.replace(/ Stores.*/, ''))).toEqual(expected);
    });

    it('no rule at all and an unclear rule are different, although the bounds are the same', () => {
      const other = rule(only('a'), 'group:blue');
      expect(compareRules([other], [other, unclearRule])).toEqual([
        'red changes? Stores.Region: no-rule → unclear-rule',
      ]);
    });
  });

  it("a user's own rule counts as a restriction if the user may be in groups with rules, unless it allows all values", () => {
    const others = [rule(only('North'), 'group:red'), rule(everything, 'default')];
    const withRule = (content: typeof everything) => [rule(content, 'user:anna'), ...others];
    expect(compareRules(others, withRule(everything))).toEqual([]);
    expect(compareRules(withRule(everything), others)).toEqual([]);
    expect(compareRules(withRule(only('North')), others)).toEqual([
      'anna gains? Stores.Region: only North → all',
    ]);
    expect(compareRules(others, withRule(only('North')))).toEqual([
      'anna loses? Stores.Region: all → only North',
    ]);
    // Without rules for groups, the rule for everyone else applies instead.
    const [, everyoneElse] = others;
    expect(compareRules([everyoneElse, rule(everything, 'user:anna')], [everyoneElse])).toEqual([]);
  });

  it('rules on a column that does not exist make no difference', () => {
    expect(compareRules([rule({ ...only('North'), column: 'Stores.Gone' }, 'default')], [])).toEqual([]);
  });

  it('without known tables, all columns are compared', () => {
    const rules = [rule({ ...nothing, column: 'A.B' }, 'default')];
    expect(compare({ rules }, { rules: [] })).toEqual(['else gains A.B: none → all']);
    const catalog = createCatalog('A');
    // The column does not exist in the tables that are known on one side.
    expect(compare({ rules, catalog }, { rules: [] })).toEqual([]);
    expect(compare({ rules }, { rules: [], catalog })).toEqual([]);
    const regionRules = [rule({ ...nothing, column: 'A.Region' }, 'default')];
    for (const [before, after] of [
      [{ rules: regionRules, catalog }, { rules: [] }],
      [{ rules: regionRules }, { rules: [], catalog }],
    ] as const) {
      expect(compare(before, after)).toEqual(['else gains A.Region: none → all']);
    }
  });
});

describe('changed tables and relations', () => {
  const regionRules = [
    rule({ ...only('North'), column: 'Regions.Region' }, 'group:north'),
    rule({ ...everything, column: 'Regions.Region' }, 'group:board'),
    rule({ ...nothing, column: 'Regions.Region' }, 'default'),
  ];

  it('the deletion of a table removes the restriction from the tables that it linked to a column with rules', () => {
    expect(
      compare(
        { rules: regionRules, catalog: chainCatalog },
        { rules: regionRules, catalog: catalogWithoutStores },
      ),
    ).toEqual([
      'else gains Orders, Items: none Regions.Region → all',
      'north gains Orders, Items: some Regions.Region → all',
    ]);
  });

  it('names the conditions that differ first, in the order of their names, and at most three of them', () => {
    const rules = ['Regions', 'Stores', 'Orders', 'Items'].map((table) =>
      rule({ ...only('A'), column: `${table}.Region` }, 'group:red'),
    );
    const { rows } = computeAccessDifference({
      before: { rules, catalog: chainCatalog },
      after: { rules, catalog: catalogWithoutStores },
    });
    const tableRows = rows.filter(({ party, kind }) => party.id === 'red' && kind !== 'column');
    expect(tableRows.map(formatRow)).toEqual([
      'red gains Regions: some Items.Region Orders.Region Stores.Region → some Regions.Region',
      'red gains Orders, Items: some Regions.Region Stores.Region Items.Region → some Items.Region Orders.Region',
    ]);
    expect(tableRows).toMatchObject([
      { before: { conditionCount: 4 }, after: { conditionCount: 1 } },
      { before: { conditionCount: 4 }, after: { conditionCount: 2 } },
    ]);
  });

  it('a new relation restricts what it links', () => {
    expect(
      compare(
        { rules: regionRules, catalog: catalogWithoutStores },
        { rules: regionRules, catalog: chainCatalog },
      ),
    ).toEqual([
      'else loses Orders, Items: all → none Regions.Region',
      'north loses Orders, Items: all → some Regions.Region',
    ]);
  });

  it('a table that still has a column without visible values stays without rows', () => {
    const rules = [...regionRules, rule({ ...nothing, column: 'Orders.Region' }, 'default')];
    expect(compare({ rules, catalog: chainCatalog }, { rules, catalog: catalogWithoutStores })).toEqual([
      // Orders has no rows on either side; Regions was restricted by Orders, too.
      'board gains Regions: none Orders.Region → all',
      'north gains Regions: none Orders.Region → some Regions.Region',
    ]);
  });

  it('parties who gain or lose more than everyone else are reported in addition', () => {
    const rules = [
      rule({ ...only('North'), column: 'Regions.Region' }, 'default'),
      rule({ ...everything, column: 'Regions.Region' }, 'group:board'),
      rule({ ...nothing, column: 'Items.Region' }, 'default'),
    ];
    const [linkedState, separateState] = [
      { rules, catalog: createCatalog('Regions Items', 'Regions-Items') },
      { rules, catalog: createCatalog('Regions Items') },
    ];
    expect(compare(linkedState, separateState)).toEqual([
      'else gains Regions: none Items.Region → some Regions.Region',
      'board gains Regions: none Items.Region → all',
    ]);
    expect(compare(separateState, linkedState)).toEqual([
      'else loses Regions: some Regions.Region → none Items.Region',
      'board loses Regions: all → none Items.Region',
    ]);
  });

  it('a deleted column no longer restricts its table', () => {
    const catalog = {
      ...chainCatalog,
      tables: chainCatalog.tables.map((table) =>
        table.name === 'Regions' ? { ...table, columns: [{ name: 'Id' }] } : table,
      ),
    };
    expect(compare({ rules: regionRules, catalog: chainCatalog }, { rules: regionRules, catalog })).toEqual([
      'else gains Regions, Stores, Orders, Items: none Regions.Region → all',
      'north gains Regions, Stores, Orders, Items: some Regions.Region → all',
    ]);
  });

  it('a renamed table or column makes no difference if its rules follow', () => {
    const renamedCatalog = createCatalog(
      'Areas Stores Orders Items',
      'Areas-Stores',
      'Stores-Orders',
      'Orders-Items',
    );
    const renamedRules = regionRules.map((each) => ({ ...each, table: 'Areas' }));
    const getOldName: AccessChange['getOldName'] = ({ table, column }) => ({
      table: table === 'Areas' ? 'Regions' : table,
      column,
    });
    const before = { rules: regionRules, catalog: chainCatalog };
    expect(compare(before, { rules: renamedRules, catalog: renamedCatalog }, getOldName)).toEqual([]);
    expect(compare(before, { rules: regionRules, catalog: renamedCatalog }, getOldName)).toEqual([
      'else gains Regions.Region: none → all',
      'north gains Regions.Region: only North → all',
    ]);
  });

  it('a group that only rules for everyone else restrict is named if everyone else gains nothing', () => {
    const createRules = (...others: readonly object[]): readonly object[] => [
      rule({ ...nothing, column: 'Regions.Region' }, 'default'),
      rule({ ...everything, column: 'Items.Region' }, 'group:red'),
      ...others,
    ];
    const compareLinks = (rules: readonly object[]): readonly string[] =>
      compare({ rules, catalog: chainCatalog }, { rules, catalog: catalogWithoutStores });
    expect(compareLinks(createRules(rule({ ...everything, column: 'Items.Region' }, 'default')))).toEqual([
      'else gains Orders, Items: none Regions.Region → all',
    ]);
    expect(compareLinks(createRules(rule({ ...nothing, column: 'Items.Region' }, 'default')))).toEqual([
      'red gains Orders, Items: none Regions.Region → all',
    ]);
  });

  it('parties that only rules on other tables name are not affected', () => {
    const catalog = createCatalog('Regions Orders Items Alone', 'Orders-Items');
    const linkedCatalog = createCatalog('Regions Orders Items Alone', 'Orders-Items', 'Regions-Items');
    const others = Array.from({ length: 25 }, (_value, index) =>
      rule({ ...only('North'), column: 'Alone.Region' }, `group:g${index}`),
    );
    const rules = [...regionRules, ...others];
    const { rows, otherPartyCount } = computeAccessDifference({
      before: { rules, catalog },
      after: { rules, catalog: linkedCatalog },
    });
    expect(otherPartyCount).toBe(0);
    expect(rows.map(formatRow)).toEqual([
      'else loses Orders, Items: all → none Regions.Region',
      'north loses Orders, Items: all → some Regions.Region',
    ]);
    // Added or removed tables without a relation to the others don't affect these parties either.
    const catalogWithNewTable = createCatalog('Regions Orders Items Alone New', 'Orders-Items');
    for (const [before, after] of [
      [catalog, catalogWithNewTable],
      [catalogWithNewTable, catalog],
    ] as const) {
      expect(
        computeAccessDifference({ before: { rules, catalog: before }, after: { rules, catalog: after } }),
      ).toEqual({
        rows: [],
        otherPartyCount: 0,
        hasMoreCombinations: false,
      });
    }
  });

  it('counts the parties beyond a limit', () => {
    const rules = Array.from({ length: 100 }, (_value, index) =>
      rule({ ...only('North'), column: 'Regions.Region' }, `group:g${index}`),
    );
    const { rows, otherPartyCount, hasMoreCombinations } = computeAccessDifference({
      before: { rules, catalog: chainCatalog },
      after: { rules, catalog: catalogWithoutStores },
    });
    expect(otherPartyCount).toBe(80);
    expect(hasMoreCombinations).toBe(true);
    expect(new Set(rows.map(({ party }) => party.id)).size).toBe(21);
  });

  it('may have further differences for a user whose groups are unknown, if rules name both the user and groups', () => {
    const rules = [
      rule({ ...nothing, column: 'Stores.Region' }, 'group:sales'),
      rule({ ...everything, column: 'Stores.Region' }, 'default'),
      rule({ ...nothing, column: 'Orders.Region' }, 'default'),
      rule({ ...everything, column: 'Orders.Region' }, 'user:u'),
    ];
    const compareWith = (memberships?: Memberships) =>
      computeAccessDifference({
        before: { rules, catalog: createCatalog('Stores Orders', 'Stores-Orders') },
        after: { rules, catalog: createCatalog('Stores Orders') },
        ...(memberships === undefined ? {} : { memberships }),
      });
    // If u is in Sales, u sees no orders before, and all of them afterward.
    const unknown = compareWith();
    expect(unknown.rows.map(formatRow)).toEqual([expect.stringContaining('else gains Stores')]);
    expect(unknown.hasMoreCombinations).toBe(true);
    const known = compareWith(new Memberships(() => ['sales'], [['sales']]));
    expect(known.rows.map(formatRow)).toContainEqual(expect.stringContaining('u gains Orders'));
    expect(known.hasMoreCombinations).toBe(false);
  });
});

const partyNames = ['group:a', 'group:b', 'default'];
const tables = ['T0', 'T1', 'T2', 'T3'];
const createArbitraryState = (names: readonly string[]): fc.Arbitrary<AccessState> =>
  fc.record({
    rules: fc.array(
      fc
        .tuple(
          fc.constantFrom(...tables),
          fc.constantFrom(nothing, everything, only('x'), only('x', 'y'), allBut('x')),
          fc.subarray([...names], { minLength: 1 }),
        )
        .map(([table, content, shares]) => rule({ ...content, column: `${table}.Region` }, ...shares)),
      { maxLength: 6 },
    ),
    catalog: fc
      .tuple(
        fc.subarray(tables, { minLength: 1 }),
        fc.array(fc.tuple(fc.constantFrom(...tables), fc.constantFrom(...tables)), { maxLength: 4 }),
      )
      .map(([names, links]) =>
        createCatalog(
          names.join(' '),
          ...links
            .filter(([from, to]) => from !== to && names.includes(from) && names.includes(to))
            .map((link) => link.join('-')),
        ),
      ),
  });

const arbitraryState = createArbitraryState(partyNames);

/** The restricting columns of each table with their visible values; without rows if one of them leaves none. */
function describeAccess({ rules, catalog }: AccessState, party: Party): ReadonlyMap<string, string> {
  const columns = getColumnAccess(rules, party);
  return new Map(
    getTableAccess(columns, catalog ?? createCatalog('')).map((access) => [
      access.table,
      access.verdict === 'none'
        ? 'none'
        : access.columns
            .map((column) => `${column.table} ${formatVerdict(column)}`)
            .sort()
            .join(),
    ]),
  );
}

const getVerdictOfColumn = ({ rules }: AccessState, party: Party, table: string): string => {
  const result = getColumnAccess(rules, party).find((column) => column.table === table);
  return result === undefined ? 'all' : formatVerdict(result);
};

it('the rows are exactly the differences of the access to columns and tables', () => {
  fc.assert(
    fc.property(arbitraryState, arbitraryState, (before, after) => {
      const { rows } = computeAccessDifference({ before, after });
      for (const groupIds of [[], ['a'], ['b']]) {
        const [old, current] = [describeAccess(before, { groupIds }), describeAccess(after, { groupIds })];
        const isDifferent = (table: string): boolean =>
          current.has(table) && current.get(table) !== old.get(table);
        const partyRows = rows.filter(
          ({ party, otherGroupIds }) => party.id === groupIds[0] && otherGroupIds === undefined,
        );
        if ([...old.keys()].some(isDifferent)) {
          // Groups without rules of their own have the access of everyone else.
          expect([...partyRows, ...rows.filter(({ party }) => party.type === 'default')]).not.toEqual([]);
        }
        for (const row of partyRows) {
          if (row.kind === 'tables') {
            expect(row.tables.filter((table) => !isDifferent(table))).toEqual([]);
          } else {
            const { table } = row.name;
            expect(getVerdictOfColumn(before, { groupIds }, table)).not.toBe(
              getVerdictOfColumn(after, { groupIds }, table),
            );
          }
        }
      }
    }),
    { numRuns: getPropertyRuns(500) },
  );
});

it('the rows of a user whose groups are known are exactly the differences of their access, and equally certain', () => {
  const state = createArbitraryState([...partyNames, 'user:u', 'user:v']);
  let differenceCount = 0;
  fc.assert(
    fc.property(state, state, fc.subarray(['a', 'b']), (before, after, groupIds) => {
      const party: Party = { userId: 'u', groupIds };
      const { rows } = computeAccessDifference({
        before,
        after,
        memberships: new Memberships((userId) => (userId === 'u' ? groupIds : undefined)),
      });
      const [old, current] = [describeAccess(before, party), describeAccess(after, party)];
      const userRows = rows.filter(({ party: { id } }) => id === 'u');
      // Users without rules of their own have the access of their groups or of everyone else.
      const coveringRows = rows.filter(
        ({ party: { type, id = '' } }) => type === 'default' || id === 'u' || groupIds.includes(id),
      );
      const reportedTables = coveringRows.flatMap(({ tables }) => tables);
      const differentTables = [...old.keys()].filter(
        (table) => current.has(table) && current.get(table) !== old.get(table),
      );
      expect(differentTables.filter((table) => !reportedTables.includes(table))).toEqual([]);
      differenceCount += differentTables.length;
      for (const row of userRows) {
        if (row.kind === 'tables') {
          const conditions = [row.before, row.after].flatMap((visible) => visible.conditions);
          expect(row.isUncertain && conditions.every(({ access }) => typeof access !== 'string')).toBe(false);
          expect(row.tables.filter((table) => current.get(table) === old.get(table))).toEqual([]);
        } else {
          const { table } = row.name;
          expect(formatVerdict(row.before)).toBe(getVerdictOfColumn(before, party, table));
          expect(formatVerdict(row.after)).toBe(getVerdictOfColumn(after, party, table));
          expect(formatVerdict(row.before)).not.toBe(formatVerdict(row.after));
          expect(row.isUncertain).toBe(
            [row.before, row.after].some(({ access }) => typeof access === 'string'),
          );
        }
      }
    }),
    { numRuns: getPropertyRuns(500) },
  );
  expect(differenceCount).toBeGreaterThan(100);
});

it('the groups of one user have no effect on the rows of another', () => {
  const state = createArbitraryState([...partyNames, 'user:u', 'user:v']);
  fc.assert(
    fc.property(state, state, (before, after) => {
      const isForU = ({ party: { id } }: AccessDifferenceRow): boolean => id === 'u';
      const unknown = computeAccessDifference({ before, after }).rows.filter(isForU);
      const other = computeAccessDifference({
        before,
        after,
        memberships: new Memberships((userId) => (userId === 'v' ? ['a'] : undefined)),
      }).rows.filter(isForU);
      expect(other).toEqual(unknown);
    }),
    { numRuns: getPropertyRuns(200) },
  );
});
