import { describe, expect, test } from 'vitest';
import {
  InstanceCatalog,
  type CatalogChange,
  type CatalogSource,
} from '../../../src/catalog/instanceCatalog.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { createFakeCatalogSource } from '../../fakes/fakeCatalogSource.ts';

const createTable = (name: string) => ({ oid: 't1', name, columns: [{ oid: 'c1', name: 'Id', type: 8 }] });

const createDatamodel = (oid: string, tableName: string): Datamodel => ({
  oid,
  title: 'Retail',
  datasets: [{ oid: 'd1', schema: { tables: [createTable(tableName)] } }],
  relations: [],
});

/** An instance that lists two datamodels. Each read of a datamodel gets the next response, or the last one again. */
function createInstance(...answers: (() => Promise<Datamodel>)[]) {
  const requests: string[] = [];
  const source: Partial<CatalogSource> = {
    datamodels: async () => {
      requests.push('list');
      return [
        { oid: 'm1', title: 'Retail', lastUpdated: String(requests.length) },
        { oid: 'm2', title: 'Support' },
      ];
    },
    datamodel: (id) => {
      requests.push(id);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer?.() ?? Promise.reject(new Error('Not expected'));
    },
    datasets: async (id) => {
      requests.push(`datasets of ${id}`);
      return [{ oid: 'd1' }, { oid: 'd2' }];
    },
    tables: async (id, dataset) => {
      requests.push(`tables of ${id} ${dataset}`);
      return [createTable(`From ${dataset}`)];
    },
    relations: async (id) => {
      requests.push(`relations of ${id}`);
      return [];
    },
  };
  return { catalog: new InstanceCatalog(createFakeCatalogSource(source)), requests };
}

async function readTableNames(catalog: InstanceCatalog, datamodelId = 'm1'): Promise<readonly string[]> {
  return (await catalog.namedDatamodels.get(datamodelId)).catalog.tables.map(({ name }) => name);
}

describe('the names of a datamodel', () => {
  test('are its tables, columns and types', async () => {
    const { catalog } = createInstance(async () => createDatamodel('m1', 'Orders'));
    const { datamodel, catalog: names } = await catalog.namedDatamodels.get('m1');
    expect(names).toEqual({
      complete: true,
      tables: [{ name: 'Orders', columns: [{ name: 'Id', type: 8 }] }],
      relations: [],
    });
    expect(datamodel.title).toBe('Retail');
  });

  test('are read once for all callers, and stay the same object', async () => {
    const { catalog, requests } = createInstance(async () => createDatamodel('m1', 'Orders'));
    const [one, other] = await Promise.all([
      catalog.namedDatamodels.get('m1'),
      catalog.namedDatamodels.get('m1'),
    ]);
    expect(other).toBe(one);
    expect(await catalog.namedDatamodels.find(({ title }) => title === 'Retail')).toBe(one);
    expect(requests).toEqual(['m1', 'list']);
  });

  test('are complete where the instance returns a datamodel without its tables', async () => {
    const { catalog, requests } = createInstance(async () => ({ oid: 'm1', title: 'Retail' }));
    expect(await readTableNames(catalog)).toEqual(['From d1', 'From d2']);
    expect((await catalog.namedDatamodels.get('m1')).catalog.complete).toBe(true);
    expect(requests).toEqual([
      'm1',
      'datasets of m1',
      'tables of m1 d1',
      'tables of m1 d2',
      'relations of m1',
    ]);
  });

  test('are found by the title of the datamodel', async () => {
    const { catalog, requests } = createInstance(async () => createDatamodel('m2', 'Tickets'));
    const found = await catalog.namedDatamodels.find(({ title }) => title === 'Support');
    expect(found?.datamodel.oid).toBe('m2');
    expect(await catalog.namedDatamodels.find(() => false)).toBeUndefined();
    expect(await catalog.namedDatamodels.find((_entry, _index, all) => all.length === 1)).toBeUndefined();
    expect(requests).toEqual(['list', 'm2']);
  });

  test('are read for all matching datamodels; incomplete if one cannot be read', async () => {
    const { catalog, requests } = createInstance(
      async () => createDatamodel('m1', 'Orders'),
      () => Promise.reject(new Error('down')),
    );
    const getTitles = async (isWanted: (title: string) => boolean) => {
      const { datamodels, isComplete } = await catalog.namedDatamodels.getAll(({ title }) => isWanted(title));
      return [datamodels.map(({ datamodel }) => datamodel.oid), isComplete];
    };
    expect(await getTitles((title) => title === 'Retail')).toEqual([['m1'], true]);
    expect(await getTitles(() => true)).toEqual([['m1'], false]);
    expect(requests).toEqual(['list', 'm1', 'm2']);
  });

  test('of a cube set are those of all extract datamodels; incomplete if one cannot be read', async () => {
    const { catalog } = createInstance(
      async () => createDatamodel('m1', 'Orders'),
      async () => createDatamodel('m2', 'Tickets'),
      () => Promise.reject(new Error('down')),
    );
    const readNames = async () => {
      const { tables, complete } = await catalog.namedDatamodels.getForCubeSet();
      return [tables.map(({ name }) => name), complete];
    };
    expect(await readNames()).toEqual([['Orders', 'Tickets'], true]);
    expect(await catalog.namedDatamodels.getForCubeSet(), 'merged once').toBe(
      await catalog.namedDatamodels.getForCubeSet(),
    );
    catalog.invalidate({ kind: 'datamodel', datamodelId: 'm2' });
    expect(await readNames()).toEqual([['Orders'], false]);
  });

  test('are not cached if reading fails', async () => {
    const { catalog } = createInstance(
      () => Promise.reject(new Error('down')),
      async () => createDatamodel('m1', 'Orders'),
    );
    await expect(catalog.namedDatamodels.get('m1')).rejects.toThrow('down');
    expect(await readTableNames(catalog)).toEqual(['Orders']);
  });

  test('are an error if a part of the datamodel cannot be read, and are read again by the next caller', async () => {
    const partialError = Object.assign(new Error('in part'), {
      readable: { value: { oid: 'm1', title: 'Retail', datasets: [], relations: [] }, unreadable: [{}] },
    });
    const { catalog } = createInstance(
      () => Promise.reject(partialError),
      async () => createDatamodel('m1', 'Orders'),
    );
    await expect(catalog.namedDatamodels.get('m1')).rejects.toThrow('in part');
    expect(await readTableNames(catalog)).toEqual(['Orders']);
  });
});

describe('cached names', () => {
  const changes: CatalogChange[] = [
    { kind: 'all' },
    { kind: 'datamodels' },
    { kind: 'datamodel', datamodelId: 'm1' },
  ];
  const createRenamedInstance = () =>
    createInstance(
      async () => createDatamodel('m1', 'Orders'),
      async () => createDatamodel('m1', 'Sales'),
    );

  test.each(changes)('are read again after a change of kind $kind', async (change) => {
    const { catalog } = createRenamedInstance();
    const before = await readTableNames(catalog);
    catalog.invalidate(change);
    expect([before, await readTableNames(catalog)]).toEqual([['Orders'], ['Sales']]);
  });

  test.each<CatalogChange>([
    { kind: 'datamodel', datamodelId: 'm2' },
    { kind: 'viewpoints' },
    { kind: 'builds' },
  ])('are not read again after a change of kind $kind elsewhere', async (change) => {
    const { catalog, requests } = createRenamedInstance();
    await readTableNames(catalog);
    catalog.invalidate(change);
    expect(await readTableNames(catalog)).toEqual(['Orders']);
    expect(requests).toEqual(['m1']);
  });

  test('are already invalidated when listeners are notified of a change', async () => {
    const { catalog } = createRenamedInstance();
    await readTableNames(catalog);
    const after = new Promise((resolve) => {
      catalog.onDidChange(() => resolve(readTableNames(catalog)));
    });
    catalog.invalidate({ kind: 'datamodel', datamodelId: 'm1' });
    expect(await after).toEqual(['Sales']);
  });

  test('are read again if a reloaded list shows that the datamodel has changed', async () => {
    const { catalog } = createRenamedInstance();
    await catalog.datamodels();
    await readTableNames(catalog);
    await catalog.revalidate();
    expect(await readTableNames(catalog)).toEqual(['Sales']);
  });

  test('are read again by the next caller if they were invalidated during a read', async () => {
    const { promise, resolve } = Promise.withResolvers<Datamodel>();
    const { catalog } = createInstance(
      () => promise,
      async () => createDatamodel('m1', 'Sales'),
    );
    const before = readTableNames(catalog);
    catalog.invalidate({ kind: 'datamodel', datamodelId: 'm1' });
    resolve(createDatamodel('m1', 'Orders'));
    await before;
    expect(await readTableNames(catalog)).toEqual(['Sales']);
  });
});
