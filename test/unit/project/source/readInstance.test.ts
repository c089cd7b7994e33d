import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { PlatformClient } from '../../../../src/client/platformClient.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { type ItemKey, formatItemKey } from '../../../../src/project/item.ts';
import {
  createNameMatcher,
  createNamePattern,
  type Selection,
} from '../../../../src/project/source/selection.ts';
import { emptyLock, type Lock } from '../../../../src/project/pull/lock.ts';
import { readInstance } from '../../../../src/project/source/readInstance.ts';
import { markMissingViewpointsUnread } from '../../../../src/project/source/missingViewpoints.ts';
import type { Fault } from '../../../../src/sandbox/faults.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { ChangeFixture, getFailure } from '../../changes/run/support.ts';

const everything: Selection = {
  includesDatamodel: () => true,
  includesViewpoint: () => true,
  hasViewpoints: true,
  cubeSets: ['Retail Group'],
  customData: new Map([['settings', { app: 'thresholds' }]]),
};

const read = (
  fixture: Pick<ChangeFixture, 'client'>,
  options: { selection?: Selection; signal?: AbortSignal; lock?: Lock } = {},
) =>
  readInstance(fixture.client, {
    selection: everything,
    signal: new AbortController().signal,
    log: silentLog,
    ...options,
  });

const createRefusal = (pathPrefix: string, status = 403): Fault => ({ kind: 'status', status, pathPrefix });

/** Creates a lock whose items have been seen with an ID. */
const createLock = (oid: string, ...keys: readonly ItemKey[]): Lock => ({
  ...emptyLock,
  entries: new Map(keys.map((key) => [formatItemKey(key), { oid, parts: new Map() }])),
});

const retailRules: ItemKey = { kind: 'rules', datamodel: 'Retail', table: 'Stores', column: 'Region' };
const retailTable: ItemKey = { kind: 'table', datamodel: 'Retail', table: 'Stores' };
const viewpoint: ItemKey = { kind: 'viewpoint', viewpoint: 'Any' };
const customData: ItemKey = { kind: 'customData', name: 'settings' };

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  test('is read with two requests for each datamodel, and one for each other list', async () => {
    using fixture = new ChangeFixture({ profile });
    const { documents, failedParts, isNotRead } = await read(fixture);
    expect(failedParts).toEqual([]);
    const titles = documents.datamodels.map(({ document }) => document['title']);
    expect(titles).toContain('Retail');
    const lists = fixture.transport.requestLines.map((line) => line.replace(/\?.*/, ''));
    const rules = lists.filter((line) => line.includes('/datasecurity'));
    expect(rules).toHaveLength(titles.length + 1);
    // Of custom data, only what the selection names is read, by its filter.
    expect(fixture.transport.requestLines.filter((line) => line.includes('/custom_data'))).toEqual([
      `GET /api/v1/custom_data/query?query=${encodeURIComponent('{"app":"thresholds"}')}`,
    ]);
    expect(documents.customData).toMatchObject([
      { name: 'settings', objects: [{ app: 'thresholds', warn: 0.12 }] },
    ]);
    const otherRequests = lists.filter((line) => !/\/(?:datasecurity|custom_data)/.test(line));
    // The list, each datamodel, viewpoints, users, groups; and second pages where the total isn't reported.
    expect(otherRequests.length).toBeLessThanOrEqual(titles.length + 9);
    expect(documents.viewpoints.every(({ details, visibility }) => details && visibility)).toBe(true);
    const keys = [retailRules, retailTable, viewpoint, customData, { ...customData, name: 'Other' }];
    expect(keys.map(isNotRead)).toEqual([false, false, false, false, true]);
  });

  test('has relations, rules and viewpoints among its items', async () => {
    using fixture = new ChangeFixture({ profile });
    const { documents } = await read(fixture);
    const { items, conversionErrors } = convertInstance({ ...documents, numberedReferences: [] });
    expect(conversionErrors).toEqual([]);
    const kinds = new Set(items.map(({ key }) => key.kind));
    expect([...kinds].sort()).toEqual([
      'columnExpression',
      'customData',
      'datamodel',
      'dataset',
      'relation',
      // These datamodels were never built: the vendor's contract knows no rules of them.
      ...(profile === 'guide' ? ['rules'] : []),
      'table',
      'tableExpression',
      'viewpoint',
    ]);
  });

  test('is read except for the parts that the server refuses, which are unknown', async () => {
    using fixture = new ChangeFixture({ profile });
    fixture.sandbox.faults.set([createRefusal('/api/elasticubes')]);
    const { documents, failedParts, isNotRead } = await read(fixture);
    expect(failedParts.map(({ part }) => part)).toContainEqual({ kind: 'rules', datamodel: 'Retail' });
    expect(failedParts.map(({ part }) => part)).toContainEqual({
      kind: 'cubeSetRules',
      cubeSet: 'Retail Group',
    });
    expect(documents.datamodels.length).toBeGreaterThan(1);
    expect([retailRules, retailTable, viewpoint].map(isNotRead)).toEqual([true, false, false]);
  });

  test('has unknown custom data if that could not be read, and known data if nothing matches', async () => {
    using fixture = new ChangeFixture({ profile });
    const selection: Selection = { ...everything, customData: new Map([['settings', { app: 'none' }]]) };
    const readingWithoutObjects = await read(fixture, { selection });
    expect(readingWithoutObjects.documents.customData).toEqual([{ name: 'settings', objects: [] }]);
    expect(readingWithoutObjects.isNotRead(customData)).toBe(false);
    fixture.sandbox.faults.set([createRefusal('/api/v1/custom_data')]);
    const refusedReading = await read(fixture, { selection });
    expect(refusedReading.failedParts.map(({ part }) => part)).toEqual([
      { kind: 'customData', name: 'settings' },
    ]);
    expect(refusedReading.documents.customData).toEqual([]);
    expect([retailRules, customData].map(refusedReading.isNotRead)).toEqual([false, true]);
  });

  test('has unknown rules and viewpoints if its users could not be read', async () => {
    using fixture = new ChangeFixture({ profile });
    fixture.sandbox.faults.set([createRefusal('/api/v1/users', 500)]);
    const { failedParts, isNotRead } = await read(fixture);
    expect(failedParts.map(({ part }) => part)).toEqual([{ kind: 'people' }]);
    expect([retailRules, retailTable, viewpoint, customData].map(isNotRead)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('has unknown viewpoints if it does not offer them, which is not a failure to read them', async () => {
    using fixture = new ChangeFixture({ profile });
    expect((await read(fixture)).offersViewpoints).toBe(true);
    fixture.sandbox.faults.set([createRefusal('/api/v1/infusion', 404)]);
    const reading = await read(fixture);
    const { documents, failedParts, isNotRead, offersViewpoints } = reading;
    expect(offersViewpoints).toBe(false);
    expect(failedParts).toEqual([]);
    expect(documents.viewpoints).toEqual([]);
    expect([retailTable, viewpoint].map(isNotRead)).toEqual([false, true]);
    const mark = (lock: Lock, key?: ItemKey) =>
      markMissingViewpointsUnread(reading, { lock, projectItems: key === undefined ? [] : [{ key }] });
    expect(mark(createLock('1', retailTable), retailTable)).toBe(reading);
    // If a pull has seen viewpoints, or the project has some, a missing service is a failure.
    const expected = { offersViewpoints: true, failedParts: [{ part: { kind: 'viewpoints' } }] };
    expect(mark(createLock('1', viewpoint))).toMatchObject(expected);
    expect(mark(emptyLock, viewpoint)).toMatchObject(expected);
  });

  test('is not read beyond the selection', async () => {
    using fixture = new ChangeFixture({ profile });
    const selection: Selection = {
      includesDatamodel: createNameMatcher(['Re*']),
      includesViewpoint: () => false,
      hasViewpoints: false,
      cubeSets: [],
      customData: new Map(),
    };
    const { documents, isNotRead } = await read(fixture, { selection });
    expect(documents.datamodels.map(({ document }) => document['title'])).toEqual(['Retail']);
    expect(documents.viewpoints).toEqual([]);
    expect(fixture.transport.requestLines.filter((line) => line.includes('/viewpoints'))).toEqual([]);
    const otherDatamodel: ItemKey = { kind: 'datamodel', datamodel: 'Support Desk' };
    expect([retailRules, viewpoint, otherDatamodel].map(isNotRead)).toEqual([false, true, true]);
  });

  test('ends with the reason of the signal when canceled', async () => {
    using fixture = new ChangeFixture({ profile });
    const controller = new AbortController();
    const reading = readInstance(fixture.client, {
      selection: everything,
      signal: controller.signal,
      log: silentLog,
      onProgress: () => controller.abort(),
    });
    expect(await getFailure(reading)).toBe(controller.signal.reason);
  });
});

test('each page of viewpoints is reported', async () => {
  using fixture = new ChangeFixture();
  const counts: (readonly [number, number | undefined])[] = [];
  const { documents } = await readInstance(fixture.client, {
    selection: everything,
    signal: new AbortController().signal,
    log: silentLog,
    onViewpointsRead: (readCount, total) => counts.push([readCount, total]),
  });
  expect(counts).toEqual([[documents.viewpoints.length, documents.viewpoints.length]]);
});

test('a reading that is canceled while it lists the users stops', async () => {
  using fixture = new ChangeFixture();
  const controller = new AbortController();
  const users = {
    list: (_query: unknown, signal: AbortSignal): Promise<never> => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason));
      controller.abort(new Error('Enough'));
      return promise;
    },
  };
  const client: PlatformClient = Object.assign(Object.create(fixture.client), { users });
  const reading = readInstance(client, { selection: everything, signal: controller.signal, log: silentLog });
  await expect(reading).rejects.toThrow('Enough');
});

test('a reading fails if the datamodels cannot be listed', async () => {
  using fixture = new ChangeFixture();
  fixture.sandbox.faults.set([createRefusal('/api/v2/datamodels', 403)]);
  await expect(read(fixture)).rejects.toMatchObject({ status: 403 });
});

test.each([
  [{}, false],
  // Rules have been seen, so the instance did accept them.
  [{}, true, createLock('1', retailRules)],
  [{}, false, createLock('1', { kind: 'datamodel', datamodel: 'Retail' }, retailRules)],
  // Rules under a former title of the datamodel count, but rules of another datamodel don't.
  [
    {},
    true,
    createLock(
      createSeedOid('Retail'),
      { kind: 'datamodel', datamodel: 'Shop' },
      { ...retailRules, datamodel: 'Shop' },
    ),
  ],
  [
    {},
    false,
    createLock('1', { kind: 'datamodel', datamodel: 'Shop' }, { ...retailRules, datamodel: 'Shop' }),
  ],
  [{ lastBuildTime: '2026-01-01T00:00:00Z', lastSuccessfulBuildTime: '2026-01-01T00:00:00Z' }, true],
  // Whether the build was successful isn't reported.
  [{ lastBuildTime: '2026-01-01T00:00:00Z', lastSuccessfulBuildTime: '' }, true],
  // The build has failed.
  [{ lastBuildTime: '2026-01-01T00:00:00Z', lastSuccessfulBuildTime: null }, false],
])(
  'rules that the server does not find are unknown only if the datamodel was built, or a pull has seen its rules (%#): %o, %s',
  async (times, isUnread, lock: Lock = emptyLock) => {
    using fixture = new ChangeFixture();
    fixture.sandbox.faults.set([createRefusal('/api/elasticubes', 404)]);
    const { client } = fixture;
    const withTimes = (document: object) => ({
      ...document,
      lastBuildTime: null,
      lastSuccessfulBuildTime: null,
      lastPublishTime: null,
      ...times,
    });
    const get: PlatformClient['datamodels']['get'] = async (path, signal) => {
      const response = await client.datamodels.get(path, signal);
      return { ...response, json: withTimes(response.json as object) };
    };
    const datamodels = { listSummaries: client.datamodels.listSummaries.bind(client.datamodels), get };
    const { failedParts } = await read(
      { client: Object.create(client, { datamodels: { value: datamodels } }) },
      { lock },
    );
    const isRetailUnread = failedParts.some(
      ({ part }) => part.kind === 'rules' && part.datamodel === 'Retail',
    );
    expect(isRetailUnread).toBe(isUnread);
  },
);

test('viewpoints are unknown if the server returns fewer than it counts', async () => {
  using fixture = new ChangeFixture();
  const { client } = fixture;
  const list: PlatformClient['viewpoints']['list'] = async (query, signal) => {
    const page = await client.viewpoints.list(query, signal);
    return { ...page, value: { ...page.value, total: 10_000 } };
  };
  const countingClient = Object.create(client, { viewpoints: { value: { list } } }) as PlatformClient;
  const { failedParts, isNotRead } = await readInstance(countingClient, {
    selection: everything,
    signal: new AbortController().signal,
    log: silentLog,
  });
  expect(failedParts).toMatchObject([
    { part: { kind: 'viewpoints' }, error: { name: 'IncompleteListError' } },
  ]);
  expect([retailTable, viewpoint].map(isNotRead)).toEqual([false, true]);
});

test('the pattern of a name matches only that name', () => {
  const name = String.raw`A*B\*`;
  const matches = createNameMatcher([createNamePattern(name)]);
  expect([name, String.raw`AB\*`, String.raw`A*B\x`].map(matches)).toEqual([true, false, false]);
});

test('a pattern with many asterisks is matched quickly', () => {
  expect(createNameMatcher([`${'*a'.repeat(50)}*b`])('a'.repeat(5000))).toBe(false);
});

test('patterns match whole names, and a backslash escapes an asterisk', () => {
  const matches = createNameMatcher(['Sales*', String.raw`A\*B`, 'x.y', 'End\\']);
  expect(['Sales', 'Sales 2026\nEU', 'A*B', 'x.y', 'End\\'].map(matches)).toEqual(Array(5).fill(true));
  expect(['sales', 'My Sales', 'AxB', 'xzy', ''].map(matches)).toEqual(Array(5).fill(false));
});
