import { expect, onTestFinished, test } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { InstanceCatalog, type CatalogSource } from '../../../../src/catalog/instanceCatalog.ts';
import type { Session, CatalogChangeEvent, Sessions } from '../../../../src/connections/sessions.ts';
import type { Datamodel } from '../../../../src/contract/datamodel.ts';
import { DatamodelLoader } from '../../../../src/features/sqlLanguage/datamodelLoader.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

const id = { connectionId: 'c', datamodelId: 'm' };

const orders = { oid: 't1', name: 'Orders', columns: [{ oid: 'c1', name: 'Amount', type: 5 }] };
const sums = {
  oid: 't2',
  name: 'Sums',
  type: 'custom',
  expression: 'SELECT o.Amount AS Total FROM Orders o',
};
const whole: Datamodel = {
  oid: 'm',
  title: 'Retail',
  datasets: [{ oid: 'd', schema: { tables: [orders, sums] } }],
  relations: [],
};

function world(answer: () => Promise<Datamodel> = async () => whole) {
  let asked = 0;
  const source: Partial<CatalogSource> = {
    datamodel: () => {
      asked += 1;
      return answer();
    },
  };
  const catalog = new InstanceCatalog(source as CatalogSource);
  const onDidChangeCatalog = new Emitter<CatalogChangeEvent>();
  catalog.onDidChange((change) => onDidChangeCatalog.fire({ connectionId: 'c', change }));
  const session = { catalog } as Session;
  const sessions: Partial<Sessions> = {
    get: async () => session,
    getWithoutStartingSandbox: async () => session,
    onDidOpen: new Emitter<string>().event,
    onDidEnd: new Emitter<string>().event,
    onDidChangeCatalog: onDidChangeCatalog.event,
  };
  const clock = new FakeClock();
  const datamodels = new DatamodelLoader({ sessions: sessions as Sessions, clock, log: new MemoryLog() });
  onTestFinished(() => datamodels.dispose());
  return { datamodels, catalog, clock, asked: () => asked };
}

test('a custom table that was never built has the columns of its query', async () => {
  const { datamodels, catalog } = world();
  const loaded = await datamodels.load(id);
  const tables = loaded?.catalog.tables.map(({ name, columns }) => [name, columns.map((each) => each.name)]);
  expect(tables).toEqual([
    ['Orders', ['Amount']],
    ['Sums', ['Total']],
  ]);
  expect(loaded?.expressions.map(({ table }) => table)).toEqual(['Sums']);
  // Rules and viewpoints use only what the server knows.
  expect((await catalog.names.get('m')).catalog.tables[1]?.columns).toEqual([]);
});

test('a datamodel is requested once for all language features, and stays the same object', async () => {
  const { datamodels, catalog, asked } = world();
  const [loaded] = await Promise.all([datamodels.load(id), datamodels.load(id), catalog.names.get('m')]);
  expect(await datamodels.load(id)).toBe(loaded);
  expect(asked()).toBe(1);
});

test('a changed one fires an event and is requested again', async () => {
  const { datamodels, catalog, asked } = world();
  let changes = 0;
  datamodels.onDidChange(() => (changes += 1));
  const before = await datamodels.load(id);
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'other' });
  catalog.invalidate({ kind: 'viewpoints' });
  expect([await datamodels.load(id), changes]).toEqual([before, 0]);
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'm' });
  expect(changes).toBe(1);
  expect(await datamodels.load(id)).not.toBe(before);
  expect(asked()).toBe(2);
});

test('one that failed to load is requested again after a while, or on demand', async () => {
  let isDown = true;
  const { datamodels, clock, asked } = world(async () => {
    if (isDown) {
      throw new Error('down');
    }
    return whole;
  });
  expect(await datamodels.load(id)).toBeUndefined();
  expect(await datamodels.load(id)).toBeUndefined();
  expect(asked()).toBe(1);
  expect(datamodels.getFailure(id)).toEqual(new Error('down'));
  clock.skip(30_000);
  await datamodels.load(id);
  expect(asked()).toBe(2);
  isDown = false;
  datamodels.retry(id);
  expect((await datamodels.load(id))?.datamodel.title).toBe('Retail');
  expect(datamodels.getFailure(id)).toBeUndefined();
});
