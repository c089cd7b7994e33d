import { expect, test } from 'vitest';
import { Catalog, type CatalogSource } from '../../../src/catalog/catalog.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';

const table = { oid: 't1', name: 'Orders', columns: [] };
const whole: Datamodel = {
  oid: 'm1',
  title: 'Retail',
  datasets: [{ oid: 'd1', schema: { tables: [table] } }],
  relations: [],
};

function catalogOf(model: Datamodel) {
  const asked: string[] = [];
  const answer = async <T>(what: string, value: T): Promise<T> => {
    asked.push(what);
    return value;
  };
  const source: CatalogSource = {
    datamodels: () =>
      answer('datamodels', [
        { oid: 'm2', title: 'b' },
        { oid: 'm1', title: 'a' },
      ]),
    datamodel: (id) => answer(`datamodel ${id}`, model),
    datasets: (id) => answer(`datasets ${id}`, [{ oid: 'd9' }]),
    tables: (id, dataset) => answer(`tables ${id} ${dataset}`, [table]),
    relations: (id) => answer(`relations ${id}`, [{ oid: 'r9' }]),
    rules: (subject) => answer(`rules ${subject.kind}`, []),
    viewpoints: (offset) => answer(`viewpoints ${offset}`, { viewpoints: [{ id: 'v' }], total: 1 }),
    customData: () => answer('customData', []),
  };
  return { catalog: new Catalog(source), asked };
}

test('a datamodel that is answered whole serves everything below it', async () => {
  const { catalog, asked } = catalogOf(whole);
  expect((await catalog.datasets('m1')).map(({ oid }) => oid)).toEqual(['d1']);
  expect(await catalog.tables('m1', 'd1')).toEqual([table]);
  expect(await catalog.relations('m1')).toEqual([]);
  expect(asked).toEqual(['datamodel m1']);
});

test('what a datamodel is answered without is asked for on its own, once', async () => {
  const { catalog, asked } = catalogOf({ oid: 'm1', title: 'Retail' });
  await catalog.tables('m1', 'd9');
  await catalog.tables('m1', 'd9');
  await catalog.relations('m1');
  expect(asked).toEqual(['datamodel m1', 'datasets m1', 'tables m1 d9', 'relations m1']);
});

test('datamodels come by title', async () => {
  const { catalog } = catalogOf(whole);
  expect((await catalog.datamodels()).map(({ title }) => title)).toEqual(['a', 'b']);
});

test('invalidating one datamodel tells so and asks for it and the list anew', async () => {
  const { catalog, asked } = catalogOf(whole);
  const changes: unknown[] = [];
  catalog.onDidChange((change) => changes.push(change));
  await catalog.datamodels();
  await catalog.datamodel('m1');
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'm1' });
  await catalog.datamodels();
  await catalog.datamodel('m1');
  expect(changes).toEqual([{ kind: 'datamodel', datamodelId: 'm1' }]);
  expect(asked).toEqual(['datamodels', 'datamodel m1', 'datamodels', 'datamodel m1']);
});

test('each collection is kept until it is invalidated, and no other with it', async () => {
  const { catalog, asked } = catalogOf(whole);
  const subject = { kind: 'live', title: 'Retail' } as const;
  const askAll = async (): Promise<void> => {
    await catalog.rules(subject);
    await catalog.viewpoints.first();
    await catalog.customData();
  };
  await askAll();
  await askAll();
  expect(asked).toEqual(['rules live', 'viewpoints 0', 'customData']);
  catalog.invalidate({ kind: 'rules', subject });
  await askAll();
  expect(asked.slice(3)).toEqual(['rules live']);
  catalog.invalidate({ kind: 'viewpoints' });
  catalog.invalidate({ kind: 'customData' });
  await askAll();
  expect(asked.slice(4)).toEqual(['viewpoints 0', 'customData']);
});
