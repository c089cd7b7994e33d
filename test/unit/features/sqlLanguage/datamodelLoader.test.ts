import { expect, onTestFinished, test } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { InstanceCatalog, type CatalogSource } from '../../../../src/catalog/instanceCatalog.ts';
import type { CatalogChangeEvent, Sessions } from '../../../../src/connections/sessions.ts';
import type { Datamodel } from '../../../../src/contract/datamodel.ts';
import { DatamodelLoader } from '../../../../src/features/sqlLanguage/datamodelLoader.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';
import { createFakeCatalogSource } from '../../../fakes/fakeCatalogSource.ts';
import { createSession } from '../../../fakes/fakeSessions.ts';
import { json, createTestClient } from '../../client/support.ts';

const id = { connectionId: 'c', datamodelId: 'm' };

const orders = { oid: 't1', name: 'Orders', columns: [{ oid: 'c1', name: 'Amount', type: 5 }] };
const sums = {
  oid: 't2',
  name: 'Sums',
  type: 'custom',
  expression: 'SELECT o.Amount AS Total FROM Orders o',
};
const retailDatamodel: Datamodel = {
  oid: 'm',
  title: 'Retail',
  datasets: [{ oid: 'd', schema: { tables: [orders, sums] } }],
  relations: [],
};

function createLoader(answer: () => Promise<Datamodel> = async () => retailDatamodel) {
  let requestCount = 0;
  const source: Partial<CatalogSource> = {
    datamodel: () => {
      requestCount += 1;
      return answer();
    },
  };
  const catalog = new InstanceCatalog(createFakeCatalogSource(source));
  const onDidChangeCatalog = new Emitter<CatalogChangeEvent>();
  catalog.onDidChange((change) => onDidChangeCatalog.fire({ connectionId: 'c', change }));
  const session = createSession({ client: createTestClient(json({})).client, catalog });
  const sessions: Partial<Sessions> = {
    get: async () => session,
    getWithoutStartingSandbox: async () => session,
    onDidOpen: new Emitter<string>().event,
    onDidEnd: new Emitter<string>().event,
    onDidChangeCatalog: onDidChangeCatalog.event,
  };
  const clock = new FakeClock();
  const loader = new DatamodelLoader({ sessions: sessions as Sessions, clock, log: new MemoryLog() });
  onTestFinished(() => loader.dispose());
  return { loader, catalog, clock, getRequestCount: () => requestCount };
}

test('a custom table that was never built has the columns of its query', async () => {
  const { loader, catalog } = createLoader();
  const loaded = await loader.load(id);
  const tables = loaded?.catalog.tables.map(({ name, columns }) => [
    name,
    columns.map((column) => column.name),
  ]);
  expect(tables).toEqual([
    ['Orders', ['Amount']],
    ['Sums', ['Total']],
  ]);
  expect(loaded?.expressions.map(({ table }) => table)).toEqual(['Sums']);
  // Rules and viewpoints use only what the server knows.
  expect((await catalog.namedDatamodels.get('m')).catalog.tables[1]?.columns).toEqual([]);
});

test('a datamodel is requested once for all language features, and stays the same object', async () => {
  const { loader, catalog, getRequestCount } = createLoader();
  const [loaded] = await Promise.all([loader.load(id), loader.load(id), catalog.namedDatamodels.get('m')]);
  expect(await loader.load(id)).toBe(loaded);
  expect(getRequestCount()).toBe(1);
});

test('a change of the datamodel fires an event, and the datamodel is requested again', async () => {
  const { loader, catalog, getRequestCount } = createLoader();
  let changeCount = 0;
  loader.onDidChange(() => (changeCount += 1));
  const before = await loader.load(id);
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'other' });
  catalog.invalidate({ kind: 'viewpoints' });
  expect([await loader.load(id), changeCount]).toEqual([before, 0]);
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'm' });
  expect(changeCount).toBe(1);
  expect(await loader.load(id)).not.toBe(before);
  expect(getRequestCount()).toBe(2);
});

test('a datamodel that failed to load is requested again after a while, or on demand', async () => {
  let isDown = true;
  const { loader, clock, getRequestCount } = createLoader(async () => {
    if (isDown) {
      throw new Error('down');
    }
    return retailDatamodel;
  });
  expect(await loader.load(id)).toBeUndefined();
  expect(await loader.load(id)).toBeUndefined();
  expect(getRequestCount()).toBe(1);
  expect(loader.getFailure(id)).toEqual(new Error('down'));
  clock.skip(30_000);
  await loader.load(id);
  expect(getRequestCount()).toBe(2);
  isDown = false;
  loader.retry(id);
  expect((await loader.load(id))?.datamodel.title).toBe('Retail');
  expect(loader.getFailure(id)).toBeUndefined();
});
