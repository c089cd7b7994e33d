import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HttpError } from '../../../../src/client/errors.ts';
import { createApiRequestInfo } from '../../../../src/client/apiError.ts';
import { InstanceCatalog, type CatalogSource } from '../../../../src/catalog/instanceCatalog.ts';
import { DatamodelPreloader } from '../../../../src/features/find/datamodelPreloader.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { createFakeCatalogSource } from '../../../fakes/fakeCatalogSource.ts';

const noop = () => undefined;
const createRefusal = (status: number) =>
  new HttpError(createApiRequestInfo('datamodels.get', '/api/v2/datamodels/{datamodelId}'), {
    status,
    serverMessage: 'No',
  });

/** Creates an instance with datamodels; records its requests, and how many of them were concurrent. */
function createInstance(count: number, { includesTables = true } = {}) {
  const requests: string[] = [];
  const failures = new Map<string, Error>();
  const lastUpdatedById = new Map<string, string>();
  const ids = Array.from({ length: count }, (_, index) => `m${index}`);
  let pendingCount = 0;
  let maxPendingCount = 0;
  const respond = async <T>(line: string, value: T): Promise<T> => {
    requests.push(line);
    pendingCount += 1;
    maxPendingCount = Math.max(maxPendingCount, pendingCount);
    // Responds in a later turn of the event loop, so concurrent requests are counted.
    await setImmediate();
    pendingCount -= 1;
    const error = failures.get(line);
    if (error !== undefined) {
      throw error;
    }
    return value;
  };
  const dataset = { oid: 'd', schema: { tables: includesTables ? [] : undefined } };
  const source: Partial<CatalogSource> = {
    datamodels: () =>
      respond(
        'list',
        ids.map((oid) => ({ oid, title: oid, lastUpdated: lastUpdatedById.get(oid) })),
      ),
    datamodel: (oid) => respond(oid, { oid, title: oid, ...(includesTables ? { datasets: [dataset] } : {}) }),
    datasets: (oid) => respond(`${oid} datasets`, [dataset]),
    tables: (oid, datasetId) => respond(`${oid} ${datasetId} tables`, []),
  };
  const clock = new FakeClock();
  const catalog = new InstanceCatalog(createFakeCatalogSource(source));
  const preloader = new DatamodelPreloader(clock);
  const load = (signal = new AbortController().signal) => preloader.load(catalog, signal, noop);
  return {
    requests,
    failures,
    lastUpdatedById,
    clock,
    catalog,
    load,
    takeRequests: () => requests.splice(0),
    getMaxPendingCount: () => maxPendingCount,
  };
}

test('a loaded datamodel is requested again when the list, read again after a minute, shows a change', async () => {
  const { load, takeRequests, lastUpdatedById, clock } = createInstance(3);
  await load();
  expect(takeRequests()).toEqual(['list', 'm0', 'm1', 'm2']);
  await load();
  expect(takeRequests()).toEqual([]);
  lastUpdatedById.set('m1', 'now');
  await load();
  expect(takeRequests()).toEqual([]);
  clock.skip(60_000);
  await load();
  expect(takeRequests()).toEqual(['list', 'm1']);
});

test('datamodels that a write or a build has changed are requested again', async () => {
  const { load, takeRequests, catalog } = createInstance(3);
  await load();
  takeRequests();
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'm2' });
  await load();
  expect(takeRequests()).toEqual(['list', 'm2']);
});

test('requests run one at a time, up to forty per call, and the remaining number is reported', async () => {
  const { load, takeRequests, getMaxPendingCount } = createInstance(100);
  const [first, second] = await Promise.all([load(), load()]);
  expect([first.remainingCount, second.remainingCount]).toEqual([60, 20]);
  expect(takeRequests()).toHaveLength(81);
  expect(getMaxPendingCount()).toBe(1);
  expect((await load()).remainingCount).toBe(0);
  expect(takeRequests()).toHaveLength(20);
});

test('a datamodel that is returned without its tables is requested with them, once', async () => {
  const { load, takeRequests } = createInstance(2, { includesTables: false });
  await load();
  expect(takeRequests()).toEqual([
    'list',
    'm0',
    'm0 datasets',
    'm0 d tables',
    'm1',
    'm1 datasets',
    'm1 d tables',
  ]);
  expect((await load()).remainingCount).toBe(0);
  expect(takeRequests()).toEqual([]);
});

test('an unreadable datamodel is reported, and the others are read', async () => {
  const { load, failures, takeRequests } = createInstance(3);
  failures.set('m1', createRefusal(403));
  expect((await load()).failedDatamodels.map(({ title }) => title)).toEqual(['m1']);
  expect(takeRequests()).toEqual(['list', 'm0', 'm1', 'm2']);
});

test('an error that affects the whole instance ends the load', async () => {
  const { load, failures, takeRequests } = createInstance(3);
  failures.set('m1', createRefusal(503));
  await expect(load()).rejects.toThrow(/503|No/);
  expect(takeRequests()).toEqual(['list', 'm0', 'm1']);
});

test('a canceled load sends no more requests', async () => {
  const { load, takeRequests } = createInstance(3);
  const abort = new AbortController();
  const loading = load(abort.signal);
  abort.abort();
  await loading;
  expect(takeRequests()).toEqual(['list']);
});
