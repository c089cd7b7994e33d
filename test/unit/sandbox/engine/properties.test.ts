import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Rule } from '../../../../src/contract/rule.ts';
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

/**
 * Custom tables T0, T1, …. The value of each is the greatest number of the base table, plus a constant, plus the values
 * of the tables that it reads.
 */
interface Graph {
  readonly tables: readonly { readonly constant: number; readonly reads: readonly number[] }[];
}

const arbitraryGraph: fc.Arbitrary<Graph> = fc
  .array(fc.record({ constant: fc.nat(9), reads: fc.array(fc.nat(20), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) => ({
    // Reading only earlier tables keeps the graph free of cycles.
    tables: list.map(({ constant, reads }, index) => ({
      constant,
      reads: index === 0 ? [] : [...new Set(reads.map((n) => n % index))],
    })),
  }));

function createDocument({ tables }: Graph, isReversed: boolean): JsonObject {
  const baseTable = createBaseTable('Base', [
    { name: 'N', type: integerType },
    { name: 'Plus', type: integerType, expression: '[N] + Lookup([T0], [V], 1, [One])' },
  ]);
  const customTables = tables.map(({ constant, reads }, index) => {
    const terms = reads.map((read) => ` + (SELECT MAX(V) FROM T${read})`).join('');
    return createCustomTable(`T${index}`, `SELECT MAX(N) + ${constant}${terms} AS V, 1 AS One FROM Base`);
  });
  return createModel([baseTable, ...(isReversed ? customTables.toReversed() : customTables)]);
}

const readSnapshot = (folder: EngineFolder, { tables }: Graph): unknown[] => [
  ...tables.map((_table, index) => folder.queryRows(`SELECT V FROM T${index}`)),
  folder.queryRows('SELECT * FROM Base'),
];

describe('properties of builds', () => {
  it('schema_changes yields the same as a full build, whatever changed', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryGraph, fc.nat(5), fc.nat(99), async (graph, changed, constant) => {
        const next = {
          tables: graph.tables.map((table, index) =>
            index === changed % graph.tables.length ? { ...table, constant } : table,
          ),
        };
        using incrementalFolder = new EngineFolder().writeCsv('Base', 'N', '1', '5');
        using fullFolder = new EngineFolder().writeCsv('Base', 'N', '1', '5');
        const previous = createDocument(graph, false);
        expect(await incrementalFolder.build(previous)).toMatchObject({ status: 'done' });
        expect(
          await incrementalFolder.build(createDocument(next, true), 'schema_changes', { previous }),
        ).toMatchObject({
          status: 'done',
        });
        expect(await fullFolder.build(createDocument(next, false))).toMatchObject({ status: 'done' });
        expect(readSnapshot(incrementalFolder, next)).toEqual(readSnapshot(fullFolder, next));
      }),
      { numRuns: 25 },
    );
  });

  it('accumulating loses no row and lastStored duplicates none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(1000), { minLength: 2, maxLength: 30 }),
        fc.nat(30),
        async (ids, splitIndex) => {
          const sorted = ids.toSorted((a, b) => a - b).map(String);
          const behavior = {
            type: 'accumulativeSync',
            accumulativeConfig: { column: 'Base/N', type: 'lastStored' },
          };
          const document = createModel([
            createBaseTable('Base', [{ name: 'N', type: integerType }], { buildBehavior: behavior }),
          ]);
          using folder = new EngineFolder().writeCsv(
            'Base',
            'N',
            ...sorted.slice(0, splitIndex % sorted.length),
          );
          await folder.build(document, 'by_table');
          folder.writeCsv('Base', 'N', ...sorted);
          expect(await folder.build(document, 'by_table', { previous: document })).toMatchObject({
            status: 'done',
          });
          expect(folder.queryRows('SELECT N FROM Base ORDER BY N').flat().map(String)).toEqual(sorted);
        },
      ),
      { numRuns: 25 },
    );
  });
});

type Row = readonly [key: number, link: number];
interface Restriction {
  readonly values: readonly number[];
  readonly exclusionary: boolean;
}

const smallNumber = fc.nat(4);
const arbitraryRows = fc.array(fc.tuple(smallNumber, smallNumber), { maxLength: 8 });
const arbitraryRestriction = fc.option(
  fc.record({
    values: fc.uniqueArray(smallNumber, { minLength: 1, maxLength: 3 }),
    exclusionary: fc.boolean(),
  }),
);

const isAllowed = (rule: Restriction | null, key: number): boolean =>
  rule === null || rule.values.includes(key) !== rule.exclusionary;

/** A row is visible if it is allowed and joins a visible row on each restricted side. */
function getExpectedRows(
  tables: readonly (readonly Row[])[],
  rules: readonly (Restriction | null)[],
): Row[][] {
  const joinsAllowedRow = (index: number, row: Row, step: 1 | -1): boolean => {
    const rulesOnSide = step === 1 ? rules.slice(index + 1) : rules.slice(0, index);
    if (rulesOnSide.every((rule) => rule === null)) {
      return true;
    }
    const isLinked = (other: Row): boolean => (step === 1 ? row[1] === other[0] : other[1] === row[0]);
    return (tables[index + step] ?? []).some(
      (other) =>
        isLinked(other) &&
        isAllowed(rules[index + step] ?? null, other[0]) &&
        joinsAllowedRow(index + step, other, step),
    );
  };
  return tables.map((rows, index) =>
    rows.filter(
      (row) =>
        isAllowed(rules[index] ?? null, row[0]) &&
        joinsAllowedRow(index, row, 1) &&
        joinsAllowedRow(index, row, -1),
    ),
  );
}

describe('properties of rules', () => {
  it('shows the rows that join allowed rows on every restricted side', async () => {
    const columns = [
      { name: 'Key', type: integerType },
      { name: 'Link', type: integerType },
    ];
    const names = ['A', 'B', 'C'] as const;
    const document = createModel(
      names.map((name) => createBaseTable(name, columns)),
      [createRelation('A/Link', 'B/Key'), createRelation('B/Link', 'C/Key')],
    );
    const inputs = fc.tuple(
      fc.tuple(arbitraryRows, arbitraryRows, arbitraryRows),
      fc.tuple(arbitraryRestriction, arbitraryRestriction, arbitraryRestriction),
    );
    await fc.assert(
      fc.asyncProperty(inputs, async ([tables, restrictions]) => {
        using folder = new EngineFolder();
        names.forEach((name, index) =>
          folder.writeCsv(name, 'Key,Link', ...(tables[index] ?? []).map((row) => row.join(','))),
        );
        expect(await folder.build(document)).toMatchObject({ status: 'done' });
        const rules = restrictions.flatMap((rule, index): Rule[] =>
          rule === null
            ? []
            : [
                {
                  table: names[index] ?? '',
                  column: 'Key',
                  members: rule.values.map(String),
                  allMembers: null,
                  exclusionary: rule.exclusionary,
                  shares: [{ type: 'default' }],
                },
              ],
        );
        const visibleRows = names.map((name) =>
          queryAsParty({
            cubeFile: getCubeFile(folder.path, 'model'),
            rules,
            party: { groupIds: [] },
            combination: 'union',
            sql: `SELECT [Key], Link FROM ${name}`,
          }).map((row) => Object.values(row)),
        );
        expect(visibleRows).toEqual(getExpectedRows(tables, restrictions));
      }),
      { numRuns: 60 },
    );
  });
});
