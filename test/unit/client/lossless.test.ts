import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { createTestClient } from './support.ts';

const fixture = readFileSync(join(import.meta.dirname, '../../fixtures/real-datamodel.json'), 'utf8');
/** The real response, plus cases that it happens not to contain: 64-bit integers, `1.0`, and unknown fields. */
const responseText = fixture.replace(
  '"revision": null',
  '"revision": 9223372036854775807, "weight": 1.0, "newField": {"x": [null, 1e3]}',
);
const path = { datamodelId: '5f0cb527-50f2-482b-aece-33e2ece6fe81' };

test('a real datamodel is read with every field, null and number unchanged', async () => {
  const { client } = createTestClient({ body: responseText });
  const { value, text } = await client.datamodels.get(path);
  expect(text).toBe(responseText);
  const expectedText = stringify(parseLossless(responseText));
  expect(expectedText).toContain('9223372036854775807');
  // The parsed result contains everything in the text, key by key and in any order of keys.
  expect(stringifySorted(value)).toBe(stringifySorted(parseLossless(responseText)));
  expect(value.datasets?.length).toBe((JSON.parse(responseText) as { datasets: unknown[] }).datasets.length);
});

test('the connection, a table and a relation of a datamodel are sent back unchanged, except for fields that must not be sent', async () => {
  const { client, transport } = createTestClient({ body: '{}' });
  const model = parseLossless(
    responseText.replaceAll('"size": 50', '"size": 9007199254740993'),
  ) as JsonObject;
  const dataset = filterObjects(model['datasets'])[0] ?? {};
  const table = filterObjects((dataset['schema'] as JsonObject)['tables'])[0] ?? {};
  const relation = filterObjects(model['relations'])[0] ?? {};
  await client.tables.update({ ...path, datasetId: 'd', tableId: 't' }, table);
  expect(transport.lastRequest.body).toContain(`"columns":${stringify(table['columns'])}`);
  expect(transport.lastRequest.body).toContain('9007199254740993');
  await client.relations.update({ ...path, relationId: 'r' }, relation);
  expect(transport.lastRequest.body).toBe(stringify({ columns: relation['columns'] }));
  await client.datasets.update({ ...path, datasetId: 'd' }, dataset);
  const {
    id: _id,
    owner: _owner,
    protectedParameters: _protected,
    ...connection
  } = dataset['connection'] as JsonObject;
  expect(transport.lastRequest.body).toBe(stringify({ connection }));
});

const filterObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Formats JSON with sorted keys. */
const stringifySorted = (value: unknown): string => stringify(sortKeys(value));

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortKeys);
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sortKeys(value[key])]),
      )
    : value;
}
