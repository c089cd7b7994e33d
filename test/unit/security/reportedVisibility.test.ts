import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AccessState, computeAccessDifference } from '../../../src/security/change/accessDifference.ts';
import { type AccessDifferenceRow, getRowParties } from '../../../src/security/change/accessDifferenceRow.ts';
import { Memberships } from '../../../src/security/membership/memberships.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';

const tableNumbers = [0, 1, 2, 3];
/** The values of the column Region; no rule names the last one. */
const values = ['x', 'y', 'z'];
const contents = {
  nothing: { document: nothing, shown: [] },
  everything: { document: everything, shown: values },
  x: { document: only('x'), shown: ['x'] },
  xOrY: { document: only('x', 'y'), shown: ['x', 'y'] },
  notX: { document: allBut('x'), shown: ['y', 'z'] },
} as const;
type ContentName = keyof typeof contents;

interface TestRule {
  readonly table: number;
  readonly content: ContentName;
  readonly parties: readonly string[];
}

/** A datamodel with a table for each of some numbers, and its rules. */
interface TestModel {
  readonly tables: readonly number[];
  /** The tables that have the column Region. */
  readonly tablesWithRegion: readonly number[];
  readonly links: readonly (readonly [number, number])[];
  readonly rules: readonly TestRule[];
}

const arbitraryTable = fc.constantFrom(...tableNumbers);
/** Mostly rules as people write them: everyone else sees nothing, and some parties see everything. */
const arbitraryRules: fc.Arbitrary<readonly TestRule[]> = fc
  .array(
    fc.record({
      table: arbitraryTable,
      others: fc.constantFrom<ContentName[]>('nothing', 'nothing', 'everything', 'x', 'notX'),
      some: fc.constantFrom<ContentName[]>('everything', 'everything', 'nothing', 'x', 'xOrY', 'notX'),
      parties: fc.subarray(['group:a', 'group:b', 'user:u']),
      hasOthers: fc.integer({ max: 9, min: 0 }).map((value) => value > 0),
    }),
    { maxLength: 5 },
  )
  .map((columns) =>
    columns.flatMap(({ table, others, some, parties, hasOthers }): readonly TestRule[] => [
      ...(hasOthers ? [{ table, content: others, parties: ['default'] }] : []),
      ...(parties.length > 0 ? [{ table, content: some, parties }] : []),
    ]),
  );
const arbitraryLink = fc.tuple(arbitraryTable, arbitraryTable).filter(([from, to]) => from !== to);
const arbitraryModel: fc.Arbitrary<TestModel> = fc.record({
  tables: fc.subarray(tableNumbers, { minLength: 1 }),
  tablesWithRegion: fc.oneof(
    { weight: 4, arbitrary: fc.constant(tableNumbers) },
    { weight: 1, arbitrary: fc.subarray(tableNumbers) },
  ),
  links: fc.array(arbitraryLink, { maxLength: 4 }),
  rules: arbitraryRules,
});

/** A model before and after a change: each part stays or is replaced. */
const arbitraryChange = fc
  .tuple(
    arbitraryModel,
    arbitraryModel,
    fc.record({
      tables: fc.boolean(),
      tablesWithRegion: fc.boolean(),
      links: fc.boolean(),
      rules: fc.boolean(),
    }),
  )
  .map(([before, other, isReplaced]) => ({
    before,
    after: {
      tables: isReplaced.tables ? other.tables : before.tables,
      tablesWithRegion: isReplaced.tablesWithRegion ? other.tablesWithRegion : before.tablesWithRegion,
      links: isReplaced.links ? other.links : before.links,
      rules: isReplaced.rules ? other.rules : before.rules,
    },
  }));

function createState(model: TestModel, getName: (table: number) => string): AccessState {
  const { tables, tablesWithRegion, links, rules } = model;
  return {
    rules: rules.map(({ table, content, parties }) =>
      rule({ ...contents[content].document, column: `${getName(table)}.Region` }, ...parties),
    ),
    catalog: {
      complete: true,
      tables: tables.map((table) => ({
        name: getName(table),
        columns: [{ name: 'Id' }, ...(tablesWithRegion.includes(table) ? [{ name: 'Region' }] : [])],
      })),
      relations: links
        .filter((link) => link.every((table) => tables.includes(table)))
        .map((link) => ({ columns: link.map((table) => ({ table: getName(table), column: 'Id' })) })),
    },
  };
}

interface TestParty {
  readonly user?: string;
  readonly groups: readonly string[];
}

/** A way to read the rules where the platform's documentation is open (platform-facts.md, 3.3). */
interface Reading {
  readonly lists: 'union' | 'intersection';
  readonly valuesWithoutRule: readonly string[];
}
const readings: readonly Reading[] = (['union', 'intersection'] as const).flatMap((lists) =>
  [values, []].map((valuesWithoutRule) => ({ lists, valuesWithoutRule })),
);

/** Combines several rules for the same kind of party (platform-facts.md, 3.3). */
function combine(rules: readonly TestRule[], { lists }: Reading): readonly string[] {
  const names = rules.map(({ content }) => content);
  if (names.includes('nothing')) {
    return [];
  }
  const allowLists = names.filter((name) => name !== 'notX').map((name) => contents[name].shown);
  return values.filter(
    (value) =>
      !(names.includes('notX') && value === 'x') &&
      (allowLists.length === 0 ||
        (lists === 'union'
          ? allowLists.some((list: readonly string[]) => list.includes(value))
          : allowLists.every((list: readonly string[]) => list.includes(value)))),
  );
}

/** Returns the values of the column Region of a table that a party sees. */
function getShownValues(
  { tables, tablesWithRegion, rules }: TestModel,
  table: number,
  { user, groups }: TestParty,
  reading: Reading,
): readonly string[] {
  const columnRules = rules.filter((each) => each.table === table);
  if (!tables.includes(table) || !tablesWithRegion.includes(table) || columnRules.length === 0) {
    return values;
  }
  const userRules = columnRules.filter(({ parties }) => parties.includes(`user:${user}`));
  const groupRules = columnRules.filter(({ parties }) =>
    groups.some((group) => parties.includes(`group:${group}`)),
  );
  const defaultRules = columnRules.filter(({ parties }) => parties.includes('default'));
  const ownRules = [userRules, groupRules].filter(({ length }) => length > 0);
  if (ownRules.length > 0) {
    return values.filter((value) =>
      ownRules.every((rulesOfKind) => combine(rulesOfKind, reading).includes(value)),
    );
  }
  return defaultRules.length > 0 ? combine(defaultRules, reading) : reading.valuesWithoutRule;
}

/** Returns all tables that relations link with a table, and the table itself. */
function getLinkedTables({ tables, links }: TestModel, table: number): readonly number[] {
  const linked = new Set([table]);
  for (let size = 0; size < linked.size; ) {
    size = linked.size;
    for (const link of links.filter((each) => each.every((end) => tables.includes(end)))) {
      if (link.some((end) => linked.has(end))) {
        link.forEach((end) => linked.add(end));
      }
    }
  }
  return [...linked];
}

/** Rows with all combinations of the values of the column Region of all tables. */
const joinedRows = tableNumbers.reduce<readonly (readonly string[])[]>(
  (rows) => rows.flatMap((row) => values.map((value) => [...row, value])),
  [[]],
);

/** Returns which joined rows of a table a party sees. */
function getVisibleRows(
  model: TestModel,
  table: number,
  party: TestParty,
  reading: Reading,
): ReadonlySet<readonly string[]> {
  const shownValues = getLinkedTables(model, table).map(
    (linked) => [linked, getShownValues(model, linked, party, reading)] as const,
  );
  return new Set(
    joinedRows.filter((row) => shownValues.every(([linked, values]) => values.includes(row[linked] ?? ''))),
  );
}

/** Returns what a change does to the rows of a table that a party sees. */
function getRowChange(
  { before, after }: { readonly before: TestModel; readonly after: TestModel },
  table: number,
  party: TestParty,
) {
  const [rowsBefore = [], rowsAfter = []] = [before, after].map((model) =>
    readings.map((reading) => getVisibleRows(model, table, party, reading)),
  );
  const pairs = rowsBefore.map((rows, index) => [rows, rowsAfter[index] ?? new Set()] as const);
  return {
    /** True if the party gains rows under at least one reading of the rules. */
    gains: pairs.some(([old, current]) => !current.isSubsetOf(old)),
    loses: pairs.some(([old, current]) => !old.isSubsetOf(current)),
    /** True if the party gains rows when the rules before and after the change may be read in different ways. */
    mayGain: rowsAfter.some((current) => rowsBefore.some((old) => !current.isSubsetOf(old))),
    mayLose: rowsBefore.some((old) => rowsAfter.some((current) => !old.isSubsetOf(current))),
  };
}

const groupsOfUser = fc.subarray(['a', 'b']);

test('anyone who sees other rows of a table is reported, or everyone else in their place, and nobody else is reported', () => {
  fc.assert(
    fc.property(
      arbitraryChange,
      groupsOfUser,
      fc.subarray(tableNumbers),
      fc.boolean(),
      (change, groups, renamed, areAllKnown) => {
        const { before, after } = change;
        const { rows } = computeAccessDifference({
          before: createState(before, (table) => `T${table}`),
          after: createState(after, (table) => (renamed.includes(table) ? `R${table}` : `T${table}`)),
          getOldName: ({ table, column }) => ({ table: table.replace('R', 'T'), column }),
          memberships: new Memberships(() => groups, areAllKnown ? [['b', 'a']] : undefined),
        });
        const parties: readonly { readonly key: string; readonly party: TestParty }[] = [
          { key: 'default:', party: { groups: [] } },
          { key: 'group:a', party: { groups: ['a'] } },
          { key: 'group:b', party: { groups: ['b'] } },
          { key: 'user:u', party: { user: 'u', groups } },
          { key: 'group:a+group:b', party: { groups: ['a', 'b'] } },
        ];
        const getKey = (row: AccessDifferenceRow): string =>
          getRowParties(row)
            .map(({ type, id = '' }) => `${type}:${id}`)
            .join('+');
        for (const table of before.tables.filter((each) => after.tables.includes(each))) {
          const tableRows = rows.filter(({ tables }) => tables.includes(`T${table}`));
          for (const { key, party } of parties) {
            const { gains, loses, mayGain, mayLose } = getRowChange(change, table, party);
            const keysForParty = [
              key,
              'default:',
              ...(key === 'user:u' ? groups.map((id) => `group:${id}`) : key.split('+')),
            ];
            const rowsForParty = tableRows.filter((row) => keysForParty.includes(getKey(row)));
            const message = JSON.stringify({ table, key });
            expect(gains && !rowsForParty.some(({ effect }) => effect !== 'loses'), `gains ${message}`).toBe(
              false,
            );
            expect(loses && !rowsForParty.some(({ effect }) => effect !== 'gains'), `loses ${message}`).toBe(
              false,
            );
            // The values of a column are reported even if another column hides all of its rows.
            const ownRows = tableRows.filter((row) => row.kind === 'tables' && getKey(row) === key);
            for (const { effect } of ownRows) {
              expect(effect !== 'loses' && !mayGain, `no gain ${message}`).toBe(false);
              expect(effect !== 'gains' && !mayLose, `no loss ${message}`).toBe(false);
            }
          }
        }
      },
    ),
    { numRuns: getPropertyRuns(1000) },
  );
});
