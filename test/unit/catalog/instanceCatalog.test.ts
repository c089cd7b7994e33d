import { describe, expect, test } from 'vitest';
import { InstanceCatalog, type CatalogSource } from '../../../src/catalog/instanceCatalog.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { createFakeCatalogSource } from '../../fakes/fakeCatalogSource.ts';

const table = { oid: 't1', name: 'Orders', columns: [] };
const completeDatamodel: Datamodel = {
  oid: 'm1',
  title: 'Retail',
  datasets: [{ oid: 'd1', schema: { tables: [table] } }],
  relations: [],
};

function createSource(model: Datamodel): { source: CatalogSource; requests: string[] } {
  const requests: string[] = [];
  const respond = async <T>(request: string, value: T): Promise<T> => {
    requests.push(request);
    return value;
  };
  const source: CatalogSource = {
    datamodels: () =>
      respond('datamodels', [
        { oid: 'm2', title: 'b' },
        { oid: 'm1', title: 'a' },
      ]),
    datamodel: (id) => respond(`datamodel ${id}`, model),
    datasets: (id) => respond(`datasets ${id}`, [{ oid: 'd9' }]),
    tables: (id, dataset) => respond(`tables ${id} ${dataset}`, [table]),
    relations: (id) => respond(`relations ${id}`, [{ oid: 'r9' }]),
    rules: (subject) => respond(`rules ${subject.kind}`, []),
    viewpoints: (offset) => respond(`viewpoints ${offset}`, { viewpoints: [{ id: 'v' }], total: 1 }),
    customData: () => respond('customData', []),
    builds: () => respond('builds', []),
  };
  return { source, requests };
}

function createCatalog(model: Datamodel) {
  const { source, requests } = createSource(model);
  return { catalog: new InstanceCatalog(source), requests };
}

test('a datamodel that is returned whole serves everything below it', async () => {
  const { catalog, requests } = createCatalog(completeDatamodel);
  expect((await catalog.datasets('m1')).map(({ oid }) => oid)).toEqual(['d1']);
  expect(await catalog.tables('m1', 'd1')).toEqual([table]);
  expect(await catalog.relations('m1')).toEqual([]);
  expect(requests).toEqual(['datamodel m1']);
});

test('parts missing from a datamodel are requested separately, once', async () => {
  const { catalog, requests } = createCatalog({ oid: 'm1', title: 'Retail' });
  await catalog.tables('m1', 'd9');
  await catalog.tables('m1', 'd9');
  await catalog.relations('m1');
  expect(requests).toEqual(['datamodel m1', 'datasets m1', 'tables m1 d9', 'relations m1']);
});

test('an empty copy of a catalog sends its own requests to the same instance, and reuses nothing of the original', async () => {
  const { catalog, requests } = createCatalog(completeDatamodel);
  const subject = { kind: 'live', title: 'Retail' } as const;
  const catalogs = [catalog, catalog.createEmptyCopy()];
  for (const usedCatalog of [...catalogs, ...catalogs]) {
    await usedCatalog.rules(subject);
    await usedCatalog.datamodel('m1');
  }
  expect(requests).toEqual(['rules live', 'datamodel m1', 'rules live', 'datamodel m1']);
});

test('datamodels are sorted by title', async () => {
  const { catalog } = createCatalog(completeDatamodel);
  expect((await catalog.datamodels()).map(({ title }) => title)).toEqual(['a', 'b']);
});

test('invalidating one datamodel fires an event and requests it and the list again', async () => {
  const { catalog, requests } = createCatalog(completeDatamodel);
  const changes: unknown[] = [];
  catalog.onDidChange((change) => changes.push(change));
  await catalog.datamodels();
  await catalog.datamodel('m1');
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'm1' });
  await catalog.datamodels();
  await catalog.datamodel('m1');
  expect(changes).toEqual([{ kind: 'datamodel', datamodelId: 'm1' }]);
  expect(requests).toEqual(['datamodels', 'datamodel m1', 'datamodels', 'datamodel m1']);
});

test('each collection is cached until it is invalidated, independently of the others', async () => {
  const { catalog, requests } = createCatalog(completeDatamodel);
  const subject = { kind: 'live', title: 'Retail' } as const;
  const requestAll = async (): Promise<void> => {
    await catalog.rules(subject);
    await catalog.viewpoints.loadFirst();
    await catalog.customData();
  };
  await requestAll();
  await requestAll();
  expect(requests).toEqual(['rules live', 'viewpoints 0', 'customData']);
  catalog.invalidate({ kind: 'rules', subject });
  await requestAll();
  expect(requests.slice(3)).toEqual(['rules live']);
  catalog.invalidate({ kind: 'viewpoints' });
  catalog.invalidate({ kind: 'customData' });
  await requestAll();
  expect(requests.slice(4)).toEqual(['viewpoints 0', 'customData']);
});

test('known items are returned without a request; a datamodel known only from the list has no datasets', async () => {
  const { catalog, requests } = createCatalog(completeDatamodel);
  expect(catalog.knownResources).toEqual({ datamodels: [], rules: [], viewpoints: [] });
  await catalog.datamodels();
  await catalog.datamodel('m1');
  await catalog.rules({ kind: 'live', title: 'Retail' });
  await catalog.viewpoints.loadFirst();
  const before = requests.length;
  expect(catalog.knownResources.datamodels.map(({ oid, datasets }) => [oid, datasets?.length])).toEqual([
    ['m1', 1],
    ['m2', undefined],
  ]);
  expect(catalog.knownResources.rules).toEqual([{ subject: { kind: 'live', title: 'Retail' }, rules: [] }]);
  expect(catalog.knownResources.viewpoints).toEqual([{ id: 'v' }]);
  expect(requests).toHaveLength(before);
});

test('lists that were loaded separately are known as if the datamodel had been returned whole', async () => {
  const { catalog } = createCatalog({ oid: 'm1', title: 'Retail' });
  await catalog.tables('m1', 'd9');
  await catalog.relations('m1');
  expect(catalog.getKnownDatamodel('m1')).toEqual({
    oid: 'm1',
    title: 'Retail',
    datasets: [{ oid: 'd9', schema: { tables: [table] } }],
    relations: [{ oid: 'r9' }],
  });
});

describe('revalidation', () => {
  function createChangingCatalog() {
    const { source, requests } = createSource(completeDatamodel);
    const list: Datamodel[] = [
      { oid: 'm1', title: 'a', lastUpdated: '1' },
      { oid: 'm2', title: 'b', lastUpdated: '1' },
    ];
    const catalog = new InstanceCatalog({
      ...source,
      datamodels: async () => {
        requests.push('datamodels');
        return [...list];
      },
    });
    const changes: unknown[] = [];
    catalog.onDidChange((change) => changes.push(change));
    return { catalog, requests, list, changes };
  }

  test('sends no request if the list was never requested', async () => {
    const { catalog, requests } = createChangingCatalog();
    await catalog.revalidate();
    expect(requests).toEqual([]);
  });

  test('is one request, and fires no event if nothing has changed', async () => {
    const { catalog, requests, changes } = createChangingCatalog();
    await catalog.datamodels();
    await catalog.datamodel('m1');
    await catalog.revalidate();
    await catalog.datamodels();
    await catalog.datamodel('m1');
    expect(requests).toEqual(['datamodels', 'datamodel m1', 'datamodels']);
    expect(changes).toEqual([]);
  });

  test('forgets exactly the datamodels whose entry changed, appeared or disappeared', async () => {
    const { catalog, requests, list, changes } = createChangingCatalog();
    await catalog.datamodels();
    await catalog.datamodel('m1');
    await catalog.datamodel('m2');
    list.splice(1, 1, { oid: 'm2', title: 'b', lastUpdated: '2' }, { oid: 'm3', title: 'c' });
    await catalog.revalidate();
    expect(changes).toEqual([
      { kind: 'datamodel', datamodelId: 'm2' },
      { kind: 'datamodel', datamodelId: 'm3' },
    ]);
    expect((await catalog.datamodels()).map(({ oid }) => oid)).toEqual(['m1', 'm2', 'm3']);
    await catalog.datamodel('m1');
    await catalog.datamodel('m2');
    expect(requests.slice(3)).toEqual(['datamodels', 'datamodel m2']);
  });

  test('forgets all changed datamodels before the first event', async () => {
    const { catalog, list } = createChangingCatalog();
    await catalog.datamodels();
    await catalog.datamodel('m2');
    list.splice(
      0,
      2,
      { oid: 'm1', title: 'a', lastUpdated: '2' },
      { oid: 'm2', title: 'b', lastUpdated: '2' },
    );
    const known: unknown[] = [];
    catalog.onDidChange(() => known.push(catalog.getKnownDatamodel('m2')?.lastUpdated));
    await catalog.revalidate();
    expect(known).toEqual(['2', '2']);
  });

  test('a response that arrives after the list was invalidated is not cached', async () => {
    const { catalog, list, changes } = createChangingCatalog();
    await catalog.datamodels();
    list.splice(0, 1);
    const revalidating = catalog.revalidate();
    catalog.invalidate({ kind: 'datamodels' });
    await revalidating;
    expect(changes).toEqual([{ kind: 'datamodels' }]);
    expect(catalog.knownResources.datamodels).toEqual([]);
  });
});

test('after an invalidation, as many viewpoints are requested as were loaded before, at most 500', async () => {
  const requests: (readonly [number, number])[] = [];
  const loadPage = (offset: number, minCount: number) => {
    requests.push([offset, minCount]);
    const viewpoints = Array.from({ length: Math.max(300, minCount) }, (_, index) => ({
      id: `${offset + index}`,
    }));
    return Promise.resolve({ viewpoints, total: 5000 });
  };
  const catalog = new InstanceCatalog(createFakeCatalogSource({ viewpoints: loadPage }));
  await catalog.viewpoints.loadFirst();
  catalog.invalidate({ kind: 'viewpoints' });
  await catalog.viewpoints.loadFirst();
  await catalog.viewpoints.loadMore();
  catalog.invalidate({ kind: 'viewpoints' });
  await catalog.viewpoints.loadFirst();
  expect(requests).toEqual([
    [0, 0],
    [0, 300],
    [300, 0],
    [0, 500],
  ]);
});

/** Rejects as the client does if a part of the response cannot be read. */
const rejectPartly = (value: unknown, path: readonly (string | number)[]): Promise<never> =>
  Promise.reject(
    Object.assign(new Error('partly read'), {
      readable: {
        value,
        unreadable: [{ path, faultPath: ['oid'], expected: 'string', item: { name: 'Broken' } }],
      },
    }),
  );

describe('an unreadable part', () => {
  const subject = { kind: 'live', title: 'Sales' } as const;

  test('does not hide the rest, and fails callers that need everything; one request serves both', async () => {
    const { source, requests } = createSource(completeDatamodel);
    const rules = () => {
      requests.push('rules');
      return rejectPartly([{ table: 'T', column: 'C' }], [1]);
    };
    const catalog = new InstanceCatalog({ ...source, rules });
    expect((await catalog.partial.rules(subject)).value).toHaveLength(1);
    await expect(catalog.rules(subject)).rejects.toThrow('partly read');
    expect(requests).toEqual(['rules']);
    // A failure is not cached: the server may have been fixed.
    await expect(catalog.rules(subject)).rejects.toThrow('partly read');
    expect(requests).toEqual(['rules', 'rules']);
  });

  test('of one dataset does not affect the tables of the others', async () => {
    const { source } = createSource(completeDatamodel);
    const other = { oid: 'd2', schema: { tables: [] } };
    // The first dataset was unreadable too, so the others are one position further in the response.
    const unreadable = [
      ['datasets', 0],
      ['datasets', 2, 'schema', 'tables', 1],
    ].map((path) => ({
      path,
      faultPath: [],
      expected: undefined,
      item: null,
    }));
    const error = Object.assign(new Error('partly read'), {
      readable: {
        value: { ...completeDatamodel, datasets: [...(completeDatamodel.datasets ?? []), other] },
        unreadable,
      },
    });
    const catalog = new InstanceCatalog({ ...source, datamodel: () => Promise.reject(error) });
    expect(await catalog.tables('m1', 'd1')).toEqual([table]);
    await expect(catalog.tables('m1', 'd2')).rejects.toThrow('partly read');
    expect((await catalog.partial.tables('m1', 'd2')).unreadable).toHaveLength(1);
    await expect(catalog.datasets('m1')).rejects.toThrow('partly read');
    expect(await catalog.relations('m1')).toEqual([]);
  });

  test('makes its datamodel incomplete for plans, while the readable parts are still known', async () => {
    const { source } = createSource(completeDatamodel);
    const catalog = new InstanceCatalog({
      ...source,
      datamodel: () => rejectPartly(completeDatamodel, ['relations', 0]),
    });
    await catalog.datamodels();
    await catalog.partial.datasets('m1');
    expect(catalog.getKnownDatamodel('m1')).toEqual({ oid: 'm1', title: 'a' });
    expect(catalog.knownResources.datamodels.find(({ oid }) => oid === 'm1')?.datasets).toHaveLength(1);
  });
});
