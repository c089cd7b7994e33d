import { describe, expect, test } from 'vitest';
import { getDatamodelType, getDatamodelTypeLabel } from '../../../src/contract/datamodel.ts';
import { readRecorded } from '../../support/recorded.ts';
import { getFailure, json, createTestClient } from './support.ts';

const lastUpdated = '2024-08-02T16:50:14.417Z';
const summary = { oid: 'm', title: 'Retail', type: 'extract', server: 'LocalHost', lastUpdated };
const completeModel = { ...summary, datasets: [], relations: [] };
const notFoundResponse = { status: 404, body: 'Cannot GET', headers: { 'content-type': 'text/html' } };
const summaryQuery =
  'fields=oid%2Ctitle%2Ctype%2Cserver%2ClastUpdated%2ClastBuildTime%2ClastSuccessfulBuildTime%2ClastPublishTime';

describe('the list of datamodels', () => {
  test('requests only the fields that lists show if the paths have /schema', async () => {
    const { client, transport } = createTestClient(json([summary]), { dialect: 'schema' });
    expect((await client.datamodels.listSummaries()).value).toEqual([summary]);
    expect(transport.requestLines).toEqual([`GET /api/v2/datamodels/schema?${summaryQuery}`]);
  });

  test('requests all fields in the plain dialect, and detects the dialect', async () => {
    const plain = createTestClient(json([completeModel]));
    expect((await plain.client.datamodels.listSummaries()).value).toEqual([completeModel]);
    expect(plain.transport.requestLines).toEqual(['GET /api/v2/datamodels']);
    const withSchema = createTestClient(({ url }) =>
      url.includes('/schema') ? json([summary]) : notFoundResponse,
    );
    expect((await withSchema.client.datamodels.listSummaries()).value).toEqual([summary]);
    expect(withSchema.transport.requestLines).toEqual([
      'GET /api/v2/datamodels',
      `GET /api/v2/datamodels/schema?${summaryQuery}`,
    ]);
  });

  test('accepts complete datamodels in place of the requested fields', async () => {
    const { client, transport } = createTestClient(json([completeModel]), { dialect: 'schema' });
    expect((await client.datamodels.listSummaries()).value).toEqual([completeModel]);
    expect(transport.requests).toHaveLength(1);
  });

  test.each([
    ['refuses fields', json({ title: 'Unknown parameter' }, 400)],
    ['omits requested fields', json([{ oid: 'm', title: 'Retail' }])],
    ['omits the title', json([{ oid: 'm', type: 'extract' }])],
  ])('a server that %s is queried without fields from then on', async (_name, response) => {
    const { client, transport } = createTestClient(
      ({ url }) => (url.includes('fields') ? response : json([completeModel])),
      {
        dialect: 'schema',
      },
    );
    expect((await client.datamodels.listSummaries()).value).toEqual([completeModel]);
    expect((await client.datamodels.listSummaries()).value).toEqual([completeModel]);
    expect(transport.requestLines.slice(1)).toEqual([
      'GET /api/v2/datamodels/schema',
      'GET /api/v2/datamodels/schema',
    ]);
  });

  test('any other failure is reported, without another request', async () => {
    const { client, transport } = createTestClient(json({}, 403), { dialect: 'schema' });
    expect(await getFailure(client.datamodels.listSummaries())).toMatchObject({ status: 403 });
    expect(transport.requests).toHaveLength(1);
  });

  test('datasets that are only oids are left out of the value, and kept in the JSON', async () => {
    const item = readRecorded('model-list-legacy-item.json') as Record<string, unknown>;
    const { client } = createTestClient(json([item]));
    for (const response of [await client.datamodels.list(), await client.datamodels.listSummaries()]) {
      const { datasets, ...otherFields } = item;
      expect(response.value).toEqual([otherFields]);
      expect(datasets).toHaveLength(1);
      expect(response.json).toEqual([item]);
    }
  });
});

describe('undocumented values', () => {
  const model = {
    oid: 'm',
    title: 'Odd',
    type: 'Perspective',
    datasets: [
      {
        oid: 'd',
        type: 'snapshot',
        schema: { tables: [{ oid: 't', type: 'View', columns: [{ oid: 'c', type: 99 }] }] },
      },
    ],
  };

  test('are kept as they are, with the items that contain them', async () => {
    const { client } = createTestClient(json(model));
    const { value } = await client.datamodels.get({ datamodelId: 'm' });
    expect(value).toEqual(model);
    expect([getDatamodelType(value), getDatamodelTypeLabel(value)]).toEqual(['extract', 'Perspective']);
  });

  test('known values are read in any letter case', async () => {
    const { client } = createTestClient(json({ ...model, type: 'LIVE' }));
    const { value } = await client.datamodels.get({ datamodelId: 'm' });
    expect([getDatamodelType(value), getDatamodelTypeLabel(value)]).toEqual(['live', 'live']);
  });

  test('a value of another type is still rejected', async () => {
    const { client } = createTestClient(json({ ...model, type: 7 }));
    expect(await getFailure(client.datamodels.get({ datamodelId: 'm' }))).toMatchObject({ path: ['type'] });
  });
});
