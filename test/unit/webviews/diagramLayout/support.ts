import fc from 'fast-check';
import type { Datamodel } from '../../../../src/contract/datamodel.ts';
import type { DiagramModel } from '../../../../src/webviews/diagramLayout/diagramModel.ts';
import { createDiagramModel } from '../../../../src/webviews/diagramLayout/createDiagramModel.ts';

/** A datamodel written as `Orders: Id, Store Id` and `Orders.Store Id = Stores.Id`. */
export function createDatamodel(tables: readonly string[], relations: readonly string[] = []): Datamodel {
  const parseEnds = (relation: string) =>
    relation.split(' = ').map((end) => {
      const [table = '', column = ''] = end.split('.');
      return { dataset: 'source', table: `t:${table}`, column: `c:${table}.${column}` };
    });
  return {
    oid: 'model',
    title: 'Model',
    datasets: [
      {
        oid: 'source',
        name: 'Source',
        schema: {
          tables: tables.map((line) => {
            const [name = '', columns = ''] = line.split(': ');
            return {
              oid: `t:${name}`,
              id: name,
              name,
              columns: columns
                .split(', ')
                .filter((column) => column !== '')
                .map((column) => ({ oid: `c:${name}.${column}`, id: column, name: column, type: 18 })),
            };
          }),
        },
      },
    ],
    relations: relations.map((relation, index) => ({ oid: `r${index}`, columns: parseEnds(relation) })),
  };
}

export const createModel = (tables: readonly string[], relations: readonly string[] = []): DiagramModel =>
  createDiagramModel(createDatamodel(tables, relations));

/**
 * Models of any shape: isolated tables, stars, chains, rings, several relations between two tables, wide and unusual
 * names.
 */
export const anyModel: fc.Arbitrary<DiagramModel> = fc
  .record({
    tables: fc.array(
      fc.record({
        name: fc.oneof(
          fc.string({ maxLength: 12 }),
          fc.string({ minLength: 80, maxLength: 200, unit: 'grapheme' }),
        ),
        columns: fc.integer({ min: 0, max: 30 }),
      }),
      { maxLength: 40 },
    ),
    relations: fc.array(fc.array(fc.tuple(fc.nat(45), fc.nat(32)), { maxLength: 4 }), { maxLength: 60 }),
  })
  .map(({ tables, relations }) =>
    createDiagramModel({
      oid: 'model',
      title: 'Any',
      datasets: [
        {
          oid: 'source',
          schema: {
            tables: tables.map(({ name, columns }, table) => ({
              oid: `t${table}`,
              name,
              columns: Array.from({ length: columns }, (_value, column) => ({
                oid: `t${table}c${column}`,
                name: `Column ${column}`,
              })),
            })),
          },
        },
      ],
      relations: relations.map((ends, index) => ({
        oid: `r${index}`,
        columns: ends.map(([table, column]) => ({
          dataset: 'source',
          table: `t${table}`,
          column: `t${table}c${column}`,
        })),
      })),
    }),
  );

/**
 * Typical datamodels with the given number of tables: a chain, a chain of stars with 20 tables each, and a net, in
 * which each table is related to an earlier one and a fifth of them to any other one.
 */
export const createLargeModels = (
  count: number,
): Readonly<Record<'chain' | 'stars' | 'net', DiagramModel>> => {
  const names = Array.from({ length: count }, (_value, index) => `T${index}`);
  const tables = names.map((name) => `${name}: Id, Other Id, Name, Value`);
  const createRelations = (getParentIndex: (index: number) => number) =>
    names.slice(1).map((name, index) => `${name}.Other Id = T${getParentIndex(index + 1)}.Id`);
  return {
    chain: createModel(
      tables,
      createRelations((index) => index - 1),
    ),
    stars: createModel(
      tables,
      createRelations((index) => (index % 20 === 0 ? index - 20 : index - (index % 20))),
    ),
    net: createModel(tables, [
      // The prime numbers scatter the relations, in the same way in each run.
      ...createRelations((index) => ((index * 7919) % 1009) % index),
      ...names
        .slice(0, count / 5)
        .map((name, index) => `${name}.Name = T${(index * 104_729 + 13) % count}.Name`),
    ]),
  };
};
