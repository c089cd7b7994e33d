import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PartialResponseError } from '../../../src/client/errors.ts';
import { countUnreadable, getUnreadableName, toPartialResult } from '../../../src/contract/partialResult.ts';
import { describeUnreadableItems } from '../../../src/client/words/describeUnreadableItems.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { json, makeClient } from './support.ts';

const table = (oid: unknown, more: object = {}) => ({ oid, name: `table ${String(oid)}`, ...more });
const dataset = (oid: unknown, tables: readonly unknown[] = []) => ({ oid, schema: { tables } });
const model = (more: object = {}) => ({ oid: 'm', title: 'Retail', ...more });

const listed = (answer: unknown) =>
  toPartialResult(
    makeClient(json(answer))
      .client.datamodels.list()
      .then(({ value }) => value),
  );
const got = (answer: unknown) =>
  toPartialResult(
    makeClient(json(answer))
      .client.datamodels.get({ datamodelId: 'm' })
      .then(({ value }) => value),
  );

describe('a list with unreadable items', () => {
  test('is read without them, and each is reported by its position, its error and its name', async () => {
    const { value, unreadable } = await listed([model(), model({ title: 7, oid: 'b' }), null, 1.0]);
    expect(value.map(({ title }) => title)).toEqual(['Retail']);
    expect(unreadable.map(({ path, faultPath, expected }) => [path, faultPath, expected])).toEqual([
      [[1], ['title'], 'string'],
      [[2], [], 'object'],
      [[3], [], 'object'],
    ]);
    expect(unreadable.map(getUnreadableName)).toEqual(['b', undefined, undefined]);
  });

  test('fails for callers that need all of it', async () => {
    const { client } = makeClient(json([model(), model({ title: 7 })]));
    const error = await client.datamodels.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartialResponseError);
    // Data stays out of logs.
    expect(String(error)).not.toContain('Retail');
  });

  test('a rule is all or nothing: without one of its parties it would mean something else', async () => {
    const rule = { table: 'T', column: 'C', shares: [{ type: 'default' }, { type: 5 }] };
    const { client } = makeClient(json([rule]));
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
    const { client } = makeClient(json({ total: 9, viewpoints: [{ id: 'a' }, { id: 5 }] }));
    const { value, unreadable } = await toPartialResult(client.viewpoints.list().then((all) => all.value));
    expect([value.viewpoints.length, value.total, unreadable.length]).toEqual([1, 9, 1]);
  });
});

describe('with a great many unreadable items', () => {
  test('the first are reported and the others counted, and readable ones are read', async () => {
    const wrong = Array.from({ length: 3000 }, (_, index) => [7, {}, null, model({ title: 5 })][index % 4]);
    const answer = await listed([...wrong, model(), model({ datasets: [dataset('d', [table(5)])] })]);
    expect(answer.value.map(({ datasets }) => datasets?.length)).toEqual([undefined, 1]);
    expect(answer.unreadable.length).toBe(1000);
    expect(countUnreadable(answer)).toBe(3001);
    expect(answer.unreadable.at(-1)).toMatchObject({ path: [999], faultPath: ['title'] });
  });

  test('the message says how many there are', async () => {
    const { unreadable, omittedCount } = await listed(Array.from({ length: 1_000_000 }, () => 1));
    const lines = describeUnreadableItems((text, ...args) => `${text} ${args.join()}`, {
      unreadable,
      omittedCount,
    });
    expect(lines.at(-1)).toBe('{0} more 999995');
  });

  const many = Array.from({ length: 300_000 }, () => 1);

  test('a datamodel with too many invalid tables to report is rejected', async () => {
    await expect(got(model({ datasets: [dataset('d', many as never)] }))).rejects.toMatchObject({
      code: 'answer-wrong-shape',
      path: ['datasets', 0, 'schema', 'tables', 0],
      expected: 'object',
    });
  });

  test('a table with that many invalid columns is left out, as with one', async () => {
    const { value, unreadable } = await got(
      model({ datasets: [dataset('d', [table('a', { columns: many }), table('b')])] }),
    );
    expect(value.datasets?.[0]?.schema?.tables?.map(({ oid }) => oid)).toEqual(['b']);
    expect(unreadable).toMatchObject([
      { path: ['datasets', 0, 'schema', 'tables', 0], faultPath: ['columns', 0] },
    ]);
  });

  test('a rule with that many invalid parties is one unreadable rule, wherever they are', async () => {
    const good = Array.from({ length: 5000 }, () => ({ type: 'default' }));
    const shares = [...good, ...many];
    const { client } = makeClient(json([{ table: 'T', column: 'C', shares }]));
    const subject = { server: 'LocalHost', elasticube: 'Retail' };
    const { value, unreadable } = await toPartialResult(
      client.extractRules.list(subject).then((all) => all.value),
    );
    expect([value.length, unreadable.map(({ path }) => path)]).toEqual([0, [[0]]]);
  });
});

describe('a datamodel', () => {
  test('is read without its unreadable tables, datasets and relations', async () => {
    const { value, unreadable } = await got(
      model({
        datasets: [
          dataset(''),
          dataset('d', [
            table('a'),
            table(1),
            table('b', { columns: [{ oid: 'c' }, { oid: 5 }] }),
            table('e'),
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
    const ofColumn = unreadable.find(({ path }) => path.join('.') === 'datasets.1.schema.tables.2');
    expect(ofColumn).toMatchObject({ faultPath: ['columns', 1, 'oid'], expected: 'string' });
  });

  test('fails as a whole if it is not a datamodel', async () => {
    await expect(got(model({ title: 7 }))).rejects.toMatchObject({
      code: 'answer-wrong-shape',
      path: ['title'],
    });
  });

  test('property: valid and invalid items are separated, wherever they are, and none is lost', async () => {
    const tables = fc.array(fc.array(fc.boolean(), { maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(tables, fc.array(fc.boolean(), { maxLength: 6 }), async (shape, isDatasetGood) => {
        const datasets = shape.map((inner, at) =>
          dataset(
            isDatasetGood[at] === false ? 0 : `d${at}`,
            inner.map((isGood, index) => table(isGood ? `t${at}.${index}` : 0)),
          ),
        );
        const { value, unreadable } = await got(model({ datasets }));
        const read = (value.datasets ?? []).map(({ oid, schema }) => [
          oid,
          schema?.tables?.map((each) => each.oid),
        ]);
        const good = datasets.flatMap(({ oid, schema }) =>
          oid === 0
            ? []
            : [
                [
                  oid,
                  schema.tables.flatMap((each) =>
                    isGoodTable(each) ? [Reflect.get(Object(each), 'oid')] : [],
                  ),
                ],
              ],
        );
        expect(read).toEqual(good);
        for (const { path, item } of unreadable) {
          expect(
            path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), model({ datasets })),
          ).toEqual(item);
        }
      }),
      { numRuns: getPropertyRuns(100) },
    );
  });
});

const isGoodTable = (each: unknown): boolean => typeof Reflect.get(Object(each), 'oid') === 'string';
