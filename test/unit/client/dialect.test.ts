import { expect, test } from 'vitest';
import type { TransportRequest } from '../../../src/client/transport.ts';
import type { PathDialect } from '../../../src/contract/endpoints.ts';
import { type MemoryResponse } from '../../fakes/memoryTransport.ts';
import { getFailure, json, createTestClient } from './support.ts';

const notFoundResponse = {
  status: 404,
  body: 'Cannot GET',
  headers: { 'content-type': 'text/html' },
} as const;
const model = { oid: 'm', title: 'Retail' };

/** An instance with one datamodel `m` that supports one path dialect only. */
const createInstance =
  (dialect: PathDialect, missingIds: readonly string[] = []) =>
  ({ url, method }: TransportRequest): MemoryResponse => {
    const path = new URL(url).pathname;
    const usesDialect = dialect === 'schema' ? path.includes('/schema') : !path.includes('/schema');
    if (!usesDialect || missingIds.some((id) => path.includes(id))) {
      return notFoundResponse;
    }
    if (method !== 'GET') {
      return json({ oid: 'new' });
    }
    return /(datamodels|datasets|tables|relations)$|datamodels\/schema$/.test(path)
      ? json([model])
      : json(model);
  };

test('the schema dialect is detected by the first list, reported once, and kept', async () => {
  const { client, transport } = createTestClient(createInstance('schema'));
  const reported: PathDialect[] = [];
  client.onDidChangeDialect((dialect) => reported.push(dialect));
  await client.datamodels.list();
  await client.datamodels.get({ datamodelId: 'm' });
  await client.datasets.list({ datamodelId: 'm' });
  expect(reported).toEqual(['schema']);
  expect(client.dialect).toBe('schema');
  expect(transport.requestLines).toEqual([
    'GET /api/v2/datamodels',
    'GET /api/v2/datamodels/schema',
    'GET /api/v2/datamodels/m/schema',
    'GET /api/v2/datamodels/m/schema/datasets',
  ]);
});

test('a remembered dialect is tried first, and replaced when the instance uses the other one', async () => {
  const current = createTestClient(createInstance('schema'), { dialect: 'schema' });
  await current.client.datamodels.list();
  expect(current.transport.requestLines).toEqual(['GET /api/v2/datamodels/schema']);
  const outdatedClient = createTestClient(createInstance('plain'), { dialect: 'schema' });
  await outdatedClient.client.datamodels.list();
  expect(outdatedClient.client.dialect).toBe('plain');
});

test('a missing datamodel does not change the dialect, because the list of datamodels exists', async () => {
  const { client, transport } = createTestClient(createInstance('plain', ['/gone']));
  expect((await getFailure(client.datamodels.get({ datamodelId: 'gone' }))).code).toBe('not-found');
  expect(client.dialect).toBe('plain');
  expect(transport.requestLines).toEqual([
    'GET /api/v2/datamodels/gone',
    'GET /api/v2/datamodels?fields=oid&limit=1&skip=0',
  ]);
  await getFailure(client.datamodels.get({ datamodelId: 'gone' }));
  expect(transport.requests).toHaveLength(3);
});

test('a missing list of a missing datamodel does not change the dialect', async () => {
  const { client } = createTestClient(createInstance('plain', ['/gone']));
  expect((await getFailure(client.datasets.list({ datamodelId: 'gone' }))).code).toBe('not-found');
  expect(client.dialect).toBe('plain');
});

test('a single resource that is requested first is found in the other dialect', async () => {
  const { client } = createTestClient(createInstance('schema'));
  expect((await client.datamodels.get({ datamodelId: 'm' })).value.title).toBe('Retail');
  expect(client.dialect).toBe('schema');
});

test('a write is sent once, in the dialect that a list has proven', async () => {
  const { client, transport } = createTestClient(createInstance('schema'));
  await client.tables.update({ datamodelId: 'm', datasetId: 'd', tableId: 't' }, { hidden: true });
  expect(transport.requestLines.filter((line) => line.startsWith('PATCH'))).toEqual([
    'PATCH /api/v2/datamodels/m/schema/datasets/d/tables/t',
  ]);
});

test('a write that is not found is not sent in the other dialect', async () => {
  const { client, transport } = createTestClient(createInstance('plain', ['/gone']));
  const call = client.tables.update({ datamodelId: 'gone', datasetId: 'd', tableId: 't' }, { hidden: true });
  expect((await getFailure(call)).code).toBe('not-found');
  expect(transport.requestLines.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
});

test('an error about a malformed ID in the other dialect still means that the list is missing', async () => {
  const { client } = createTestClient(({ url }) =>
    url.endsWith('/schema') ? json({ title: 'EcmApiError' }, 400) : notFoundResponse,
  );
  expect(await getFailure(client.datamodels.list())).toMatchObject({
    status: 404,
    versionHint: { since: 'L8.1' },
  });
});

test('a failure in the other dialect other than a missing list is reported', async () => {
  const { client } = createTestClient(({ url }) =>
    url.endsWith('/schema') ? json({}, 403) : notFoundResponse,
  );
  expect(await getFailure(client.datamodels.list())).toMatchObject({ status: 403 });
  expect(client.dialect).toBe('plain');
});

test('the first write is sent even if the list that detects the dialect is refused', async () => {
  const { client, transport } = createTestClient(({ method }) =>
    method === 'GET' ? json({}, 403) : json({}),
  );
  await client.tables.delete({ datamodelId: 'm', datasetId: 'd', tableId: 't' });
  expect(transport.requestLines.at(-1)).toBe('DELETE /api/v2/datamodels/m/datasets/d/tables/t');
});

test('only a missing list is requested in the other dialect', async () => {
  const { client, transport } = createTestClient(json({}, 500));
  expect(await getFailure(client.datamodels.list())).toMatchObject({ status: 500 });
  expect(transport.requestLines).toEqual(['GET /api/v2/datamodels']);
});
