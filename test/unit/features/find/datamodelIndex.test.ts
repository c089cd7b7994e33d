import { expect, test } from 'vitest';
import { HttpError } from '../../../../src/client/errors.ts';
import { createApiOperation } from '../../../../src/client/apiError.ts';
import { InstanceCatalog, type CatalogSource } from '../../../../src/catalog/instanceCatalog.ts';
import { DatamodelIndex } from '../../../../src/features/find/datamodelIndex.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

const nothing = () => undefined;
const refusal = (status: number) =>
  new HttpError(createApiOperation('datamodels.get', '/api/v2/datamodels/{datamodelId}'), {
    status,
    problem: 'No',
  });

/** An instance of some datamodels, its requests, and how many of them were concurrent. */
function instance(count: number, { embeds = true } = {}) {
  const asked: string[] = [];
  const fails = new Map<string, Error>();
  const updated = new Map<string, string>();
  const ids = Array.from({ length: count }, (_, index) => `m${index}`);
  let under = 0;
  let most = 0;
  const answer = async <T>(line: string, value: T): Promise<T> => {
    asked.push(line);
    under += 1;
    most = Math.max(most, under);
    await Promise.resolve();
    under -= 1;
    const error = fails.get(line);
    if (error !== undefined) {
      throw error;
    }
    return value;
  };
  const dataset = { oid: 'd', schema: { tables: embeds ? [] : undefined } };
  const source: Partial<CatalogSource> = {
    datamodels: () =>
      answer(
        'list',
        ids.map((oid) => ({ oid, title: oid, lastUpdated: updated.get(oid) })),
      ),
    datamodel: (oid) => answer(oid, { oid, title: oid, ...(embeds ? { datasets: [dataset] } : {}) }),
    datasets: (oid) => answer(`${oid} datasets`, [dataset]),
    tables: (oid, datasetId) => answer(`${oid} ${datasetId} tables`, []),
  };
  const clock = new FakeClock();
  const catalog = new InstanceCatalog(source as CatalogSource);
  const index = new DatamodelIndex(clock);
  const load = (signal = new AbortController().signal) => index.load(catalog, signal, nothing);
  return { asked, fails, updated, clock, catalog, load, take: () => asked.splice(0), most: () => most };
}

test('known datamodels are not requested again, and changes of others are found by the list once it is old', async () => {
  const { load, take, updated, clock } = instance(3);
  await load();
  expect(take()).toEqual(['list', 'm0', 'm1', 'm2']);
  await load();
  expect(take()).toEqual([]);
  updated.set('m1', 'now');
  await load();
  expect(take()).toEqual([]);
  clock.skip(60_000);
  await load();
  expect(take()).toEqual(['list', 'm1']);
});

test('datamodels that our own write or a build has changed are requested again', async () => {
  const { load, take, catalog } = instance(3);
  await load();
  take();
  catalog.invalidate({ kind: 'datamodel', datamodelId: 'm2' });
  await load();
  expect(take()).toEqual(['list', 'm2']);
});

test('requests run one at a time, up to forty per call, and the remaining number is reported', async () => {
  const { load, take, most } = instance(100);
  const [first, second] = await Promise.all([load(), load()]);
  expect([first.remainingCount, second.remainingCount]).toEqual([60, 20]);
  expect(take()).toHaveLength(81);
  expect(most()).toBe(1);
  expect((await load()).remainingCount).toBe(0);
  expect(take()).toHaveLength(20);
});

test('a datamodel that is returned without its tables is requested with them, once', async () => {
  const { load, take } = instance(2, { embeds: false });
  await load();
  expect(take()).toEqual(['list', 'm0', 'm0 datasets', 'm0 d tables', 'm1', 'm1 datasets', 'm1 d tables']);
  expect((await load()).remainingCount).toBe(0);
  expect(take()).toEqual([]);
});

test('an unreadable datamodel is reported, and the others are read', async () => {
  const { load, fails, take } = instance(3);
  fails.set('m1', refusal(403));
  expect((await load()).failedDatamodels.map(({ title }) => title)).toEqual(['m1']);
  expect(take()).toEqual(['list', 'm0', 'm1', 'm2']);
});

test('a failure of the instance ends the search', async () => {
  const { load, fails, take } = instance(3);
  fails.set('m1', refusal(503));
  await expect(load()).rejects.toThrow(/503|No/);
  expect(take()).toEqual(['list', 'm0', 'm1']);
});

test('a canceled search sends no more requests', async () => {
  const { load, take } = instance(3);
  const abort = new AbortController();
  const looking = load(abort.signal);
  abort.abort();
  await looking;
  expect(take()).toEqual(['list']);
});
