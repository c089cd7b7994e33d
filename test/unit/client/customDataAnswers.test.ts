import { describe, expect, test } from 'vitest';
import { parseLossless, type JsonObject } from '../../../src/base/json.ts';
import { getFailure, json, createTestClient, createClientWithLastBody } from './support.ts';

const filter = { kind: 'note' };

describe.each([
  ['an error body of v1', json({ error: { message: 'Documents not found' } }, 404)],
  ['problem details of v2', json({ title: 'NotFound', detail: 'Documents not found', status: 404 }, 404)],
  ['plain text', { status: 404, body: 'Documents not found', headers: { 'content-type': 'text/plain' } }],
])('a 404 with %s that reports no matching documents', (_name, answer) => {
  test('makes a query return an empty list, and a change or deletion succeed', async () => {
    const { client } = createTestClient(answer);
    expect((await client.customData.query(filter)).value).toEqual([]);
    const change = { queryForSearch: filter, objectForUpdate: { a: 1 } };
    expect((await client.customData.updateMatching(change)).status).toBe(200);
    expect((await client.customData.deleteMatching(filter)).status).toBe(200);
  });

  test('stays an error for the list of all objects', async () => {
    const { client } = createTestClient(answer);
    expect(await getFailure(client.customData.list())).toMatchObject({ status: 404 });
  });
});

test.each([
  [
    'a 404 with a web page',
    { status: 404, body: '<h1>Not Found</h1>', headers: { 'content-type': 'text/html' } },
  ],
  ['a 404 with an empty body', { status: 404, body: '' }],
  ['a 404 with the error of a gateway', json({ error: 'Not Found' }, 404)],
  ['a 400 with the message for no match', json({ error: { message: 'Documents not found' } }, 400)],
])('%s is an error', async (_name, answer) => {
  const { client } = createTestClient(answer);
  await getFailure(client.customData.query(filter));
  await getFailure(client.customData.deleteMatching(filter));
});

test('201 and a response with unknown fields are accepted', async () => {
  const { client } = createTestClient(json({ _id: 'o', nModified: 2, unknown: { deep: [1] } }, 201));
  expect((await client.customData.create({ a: 1 })).value).toMatchObject({ _id: 'o' });
  await client.customData.updateMatching({ queryForSearch: {}, objectForUpdate: {} });
});

test('a filter is sent unchanged, whatever its names', async () => {
  const text = '{"__proto__":{"a":1},"constructor":"c","deep":{"__proto__":1.0,"toString":null}}';
  const filter = parseLossless(text) as JsonObject;
  const { client, getBodyText } = createClientWithLastBody();
  await client.customData.deleteMatching(filter);
  expect(getBodyText()).toBe(text);
  await client.customData.updateMatching({ queryForSearch: filter, objectForUpdate: filter });
  expect(getBodyText()).toBe(`{"queryForSearch":${text},"objectForUpdate":${text}}`);
});
