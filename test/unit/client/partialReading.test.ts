import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PartialResponseError } from '../../../src/client/errors.ts';
import { countUnreadable, getUnreadableName, toPartialResult } from '../../../src/contract/partialResult.ts';
import { describeUnreadableItems } from '../../../src/client/messages/describeUnreadableItems.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { json, createTestClient } from './support.ts';

const createTable = (oid: unknown, fields: object = {}) => ({ oid, name: `table ${String(oid)}`, ...fields });
const createDataset = (oid: unknown, tables: readonly unknown[] = []) => ({ oid, schema: { tables } });
const createModel = (fields: object = {}) => ({ oid: 'm', title: 'Retail', ...fields });

const listModels = (response: unknown) =>
  toPartialResult(
    createTestClient(json(response))
      .client.datamodels.list()
      .then(({ value }) => value),
  );
const getModel = (answer: unknown) =>
  toPartialResult(
    createTestClient(json(answer))
      .client.datamodels.get({ datamodelId: 'm' })
      .then(({ value }) => value),
  );

describe('a list with unreadable items', () => {
  test('is read without them, and each is reported by its position, its error and its name', async () => {
    const { value, unreadable } = await listModels([
      createModel(),
      createModel({ title: 7, oid: 'b' }),
      null,
      1.0,
    ]);
    expect(value.map(({ title }) => title)).toEqual(['Retail']);
    expect(unreadable.map(({ path, faultPath, expected }) => [path, faultPath, expected])).toEqual([
      [[1], ['title'], 'string'],
      [[2], [], 'object'],
      [[3], [], 'object'],
    ]);
    expect(unreadable.map(getUnreadableName)).toEqual(['b', undefined, undefined]);
  });

  test('fails for callers that need all items', async () => {
    const { client } = createTestClient(json([createModel(), createModel({ title: 7 })]));
    const error = await client.datamodels.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartialResponseError);
    // The text of an error may be logged, so it must not contain data.
    expect(String(error)).not.toContain('Retail');
  });

  test('a rule with an unreadable party is left out: without the party it would have another meaning', async () => {
    const rule = { table: 'T', column: 'C', shares: [{ type: 'default' }, { type: 5 }] };
    const { client } = createTestClient(json([rule]));
    const subject = { server: 'LocalHost', elasticube: 'Retail' };
    const { value, unreadable } = await toPartialResult(
      client.extractRules.list(subject).then((all) => all.value),
    );
    expect([value, unreadable.map(({ path, faultPath }) => [path, faultPath])]).toEqual([
      [],
      [[[0], ['shares', 1, 'type']]],
    ]);
  });

  test('a page counts its unreadable items', async () => {
    const { client } = createTestClient(json({ total: 9, viewpoints: [{ id: 'a' }, { id: 5 }] }));
    const { value, unreadable } = await toPartialResult(client.viewpoints.list().then((all) => all.value));
    expect([value.viewpoints.length, value.total, unreadable.length]).toEqual([1, 9, 1]);
  });
});

describe('with a great many unreadable items', () => {
  test('the first are reported and the others counted, and readable ones are read', async () => {
    const unreadableItems = Array.from(
      { length: 3000 },
      (_, index) => [7, {}, null, createModel({ title: 5 })][index % 4],
    );
    const answer = await listModels([
      ...unreadableItems,
      createModel(),
      createModel({ datasets: [createDataset('d', [createTable(5)])] }),
    ]);
    expect(answer.value.map(({ datasets }) => datasets?.length)).toEqual([undefined, 1]);
    expect(answer.unreadable.length).toBe(1000);
    expect(countUnreadable(answer)).toBe(3001);
    expect(answer.unreadable.at(-1)).toMatchObject({ path: [999], faultPath: ['title'] });
  });

  test('the message contains their number', async () => {
    const { unreadable, omittedCount } = await listModels(Array.from({ length: 1_000_000 }, () => 1));
    const lines = describeUnreadableItems((text, ...args) => `${text} ${args.join()}`, {
      unreadable,
      omittedCount,
    });
    expect(lines.at(-1)).toBe('and {0} more 999995');
  });

  const numbers = Array.from({ length: 300_000 }, () => 1);

  test('a datamodel with too many invalid tables to report is rejected', async () => {
    await expect(
      getModel(createModel({ datasets: [createDataset('d', numbers as never)] })),
    ).rejects.toMatchObject({
      code: 'answer-wrong-shape',
      path: ['datasets', 0, 'schema', 'tables', 0],
      expected: 'object',
    });
  });

  test('a table with too many invalid columns to report is left out, like one with a single invalid column', async () => {
    const { value, unreadable } = await getModel(
      createModel({
        datasets: [createDataset('d', [createTable('a', { columns: numbers }), createTable('b')])],
      }),
    );
    expect(value.datasets?.[0]?.schema?.tables?.map(({ oid }) => oid)).toEqual(['b']);
    expect(unreadable).toMatchObject([
      { path: ['datasets', 0, 'schema', 'tables', 0], faultPath: ['columns', 0] },
    ]);
  });

  test('a rule with too many invalid parties to report is one unreadable rule, even if valid parties come first', async () => {
    const validShares = Array.from({ length: 5000 }, () => ({ type: 'default' }));
    const shares = [...validShares, ...numbers];
    const { client } = createTestClient(json([{ table: 'T', column: 'C', shares }]));
    const subject = { server: 'LocalHost', elasticube: 'Retail' };
    const { value, unreadable } = await toPartialResult(
      client.extractRules.list(subject).then((all) => all.value),
    );
    expect([value.length, unreadable.map(({ path }) => path)]).toEqual([0, [[0]]]);
  });
});

describe('a datamodel', () => {
  test('is read without its unreadable tables, datasets and relations', async () => {
    const { value, unreadable } = await getModel(
      createModel({
        datasets: [
          createDataset(''),
          createDataset('d', [
            createTable('a'),
            createTable(1),
            createTable('b', { columns: [{ oid: 'c' }, { oid: 5 }] }),
            createTable('e'),
          ]),
        ],
        relations: [{ oid: 'r' }, { oid: 'q', columns: [{ dataset: 'd' }] }],
      }),
    );
    expect(value.datasets?.map(({ oid, schema }) => [oid, schema?.tables?.map((each) => each.oid)])).toEqual([
      ['d', ['a', 'e']],
    ]);
    expect(value.relations?.map(({ oid }) => oid)).toEqual(['r']);
    expect(unreadable.map(({ path }) => path.join('.')).toSorted()).toEqual([
      'datasets.0',
      'datasets.1.schema.tables.1',
      'datasets.1.schema.tables.2',
      'relations.1',
    ]);
    const unreadableTable = unreadable.find(({ path }) => path.join('.') === 'datasets.1.schema.tables.2');
    expect(unreadableTable).toMatchObject({ faultPath: ['columns', 1, 'oid'], expected: 'string' });
  });

  test('fails as a whole if it is not a datamodel', async () => {
    await expect(getModel(createModel({ title: 7 }))).rejects.toMatchObject({
      code: 'answer-wrong-shape',
      path: ['title'],
    });
  });

  test('property: valid and invalid items are separated, wherever they are, and none is lost', async () => {
    const tables = fc.array(fc.array(fc.boolean(), { maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.array(fc.boolean(), { maxLength: 6 }),
        async (validityByDataset, areDatasetsValid) => {
          const datasets = validityByDataset.map((areTablesValid, datasetIndex) =>
            createDataset(
              areDatasetsValid[datasetIndex] === false ? 0 : `d${datasetIndex}`,
              areTablesValid.map((isValid, index) => createTable(isValid ? `t${datasetIndex}.${index}` : 0)),
            ),
          );
          const { value, unreadable } = await getModel(createModel({ datasets }));
          const readOids = (value.datasets ?? []).map(({ oid, schema }) => [
            oid,
            schema?.tables?.map((each) => each.oid),
          ]);
          const expectedOids = datasets.flatMap(({ oid, schema }) =>
            oid === 0
              ? []
              : [
                  [
                    oid,
                    schema.tables.flatMap((each) =>
                      isValidTable(each) ? [Reflect.get(Object(each), 'oid')] : [],
                    ),
                  ],
                ],
          );
          expect(readOids).toEqual(expectedOids);
          for (const { path, item } of unreadable) {
            expect(
              path.reduce<unknown>(
                (inner, key) => Reflect.get(Object(inner), key),
                createModel({ datasets }),
              ),
            ).toEqual(item);
          }
        },
      ),
      { numRuns: getPropertyRuns(100) },
    );
  });
});

const isValidTable = (each: unknown): boolean => typeof Reflect.get(Object(each), 'oid') === 'string';
