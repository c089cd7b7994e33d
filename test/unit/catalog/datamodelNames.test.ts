import { describe, expect, test } from 'vitest';
import {
  InstanceCatalog,
  type CatalogChange,
  type CatalogSource,
} from '../../../src/catalog/instanceCatalog.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';

const tableNamed = (name: string) => ({ oid: 't1', name, columns: [{ oid: 'c1', name: 'Id', type: 8 }] });

const withTable = (oid: string, name: string): Datamodel => ({
  oid,
  title: 'Retail',
  datasets: [{ oid: 'd1', schema: { tables: [tableNamed(name)] } }],
  relations: [],
});

/** An instance of two datamodels; `answers` are the responses for one of them, in order; the last one repeats. */
function instance(...answers: (() => Promise<Datamodel>)[]) {
  const asked: string[] = [];
  const source: Partial<CatalogSource> = {
    datamodels: async () => {
      asked.push('list');
      return [
        { oid: 'm1', title: 'Retail', lastUpdated: String(asked.length) },
        { oid: 'm2', title: 'Support' },
      ];
    },
    datamodel: (id) => {
      asked.push(id);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer?.() ?? Promise.reject(new Error('Not expected'));
    },
    datasets: async (id) => {
      asked.push(`datasets of ${id}`);
      return [{ oid: 'd1' }, { oid: 'd2' }];
    },
    tables: async (id, dataset) => {
      asked.push(`tables of ${id} ${dataset}`);
      return [tableNamed(`From ${dataset}`)];
    },
    relations: async (id) => {
      asked.push(`relations of ${id}`);
      return [];
    },
  };
  return { catalog: new InstanceCatalog(source as CatalogSource), asked };
}

async function tablesIn(catalog: InstanceCatalog, datamodelId = 'm1'): Promise<readonly string[]> {
  return (await catalog.names.get(datamodelId)).catalog.tables.map(({ name }) => name);
}

describe('the names of a datamodel', () => {
  test('are its tables, columns and types', async () => {
    const { catalog } = instance(async () => withTable('m1', 'Orders'));
    const { datamodel, catalog: names } = await catalog.names.get('m1');
    expect(names).toEqual({
      complete: true,
      tables: [{ name: 'Orders', columns: [{ name: 'Id', type: 8 }] }],
      relations: [],
    });
    expect(datamodel.title).toBe('Retail');
  });

  test('are read once for all callers, and stay the same object', async () => {
    const { catalog, asked } = instance(async () => withTable('m1', 'Orders'));
    const [one, other] = await Promise.all([catalog.names.get('m1'), catalog.names.get('m1')]);
    expect(other).toBe(one);
    expect(await catalog.names.find(({ title }) => title === 'Retail')).toBe(one);
    expect(asked).toEqual(['m1', 'list']);
  });

  test('are complete where the instance returns a datamodel without its tables', async () => {
    const { catalog, asked } = instance(async () => ({ oid: 'm1', title: 'Retail' }));
    expect(await tablesIn(catalog)).toEqual(['From d1', 'From d2']);
    expect((await catalog.names.get('m1')).catalog.complete).toBe(true);
    expect(asked).toEqual(['m1', 'datasets of m1', 'tables of m1 d1', 'tables of m1 d2', 'relations of m1']);
  });

  test('are those of a datamodel in the list', async () => {
    const { catalog, asked } = instance(async () => withTable('m2', 'Tickets'));
    const found = await catalog.names.find(({ title }) => title === 'Support');
    expect(found?.datamodel.oid).toBe('m2');
    expect(await catalog.names.find(() => false)).toBeUndefined();
    expect(await catalog.names.find((_entry, _index, all) => all.length === 1)).toBeUndefined();
    expect(asked).toEqual(['list', 'm2']);
  });

  test('are not cached if reading fails', async () => {
    const { catalog } = instance(
      () => Promise.reject(new Error('down')),
      async () => withTable('m1', 'Orders'),
    );
    await expect(catalog.names.get('m1')).rejects.toThrow('down');
    expect(await tablesIn(catalog)).toEqual(['Orders']);
  });

  test('fail if a part of the datamodel cannot be read, and are read again', async () => {
    const partly = Object.assign(new Error('in part'), {
      readable: { value: { oid: 'm1', title: 'Retail', datasets: [], relations: [] }, unreadable: [{}] },
    });
    const { catalog } = instance(
      () => Promise.reject(partly),
      async () => withTable('m1', 'Orders'),
    );
    await expect(catalog.names.get('m1')).rejects.toThrow('in part');
    expect(await tablesIn(catalog)).toEqual(['Orders']);
  });
});

describe('names that have changed', () => {
  const changes: CatalogChange[] = [
    { kind: 'all' },
    { kind: 'datamodels' },
    { kind: 'datamodel', datamodelId: 'm1' },
  ];
  const renamed = () =>
    instance(
      async () => withTable('m1', 'Orders'),
      async () => withTable('m1', 'Sales'),
    );

  test.each(changes)('$kind are read again', async (change) => {
    const { catalog } = renamed();
    const before = await tablesIn(catalog);
    catalog.invalidate(change);
    expect([before, await tablesIn(catalog)]).toEqual([['Orders'], ['Sales']]);
  });

  test.each<CatalogChange>([
    { kind: 'datamodel', datamodelId: 'm2' },
    { kind: 'viewpoints' },
    { kind: 'builds' },
  ])('$kind elsewhere do not cause another read', async (change) => {
    const { catalog, asked } = renamed();
    await tablesIn(catalog);
    catalog.invalidate(change);
    expect(await tablesIn(catalog)).toEqual(['Orders']);
    expect(asked).toEqual(['m1']);
  });

  test('are read again by notified listeners', async () => {
    const { catalog } = renamed();
    await tablesIn(catalog);
    const after = new Promise((resolve) => {
      catalog.onDidChange(() => resolve(tablesIn(catalog)));
    });
    catalog.invalidate({ kind: 'datamodel', datamodelId: 'm1' });
    expect(await after).toEqual(['Sales']);
  });

  test('are read again when the list shows the change', async () => {
    const { catalog } = renamed();
    await catalog.datamodels();
    await tablesIn(catalog);
    await catalog.revalidate();
    expect(await tablesIn(catalog)).toEqual(['Sales']);
  });

  test('during a read answer only those who waited', async () => {
    const { promise, resolve } = Promise.withResolvers<Datamodel>();
    const { catalog } = instance(
      () => promise,
      async () => withTable('m1', 'Sales'),
    );
    const before = tablesIn(catalog);
    catalog.invalidate({ kind: 'datamodel', datamodelId: 'm1' });
    resolve(withTable('m1', 'Orders'));
    await before;
    expect(await tablesIn(catalog)).toEqual(['Sales']);
  });
});
