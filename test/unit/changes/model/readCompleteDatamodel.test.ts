import { expect, test } from 'vitest';
import { type JsonObject, type JsonValue, stringify } from '../../../../src/base/json.ts';
import {
  completeDatamodel,
  readCompleteDatamodel,
  readItemsAsJson,
} from '../../../../src/changes/model/readCompleteDatamodel.ts';
import { PartialResponseError } from '../../../../src/client/errors.ts';
import { createTestClient, json } from '../../client/support.ts';

const table = { oid: 't', id: 't', name: 'T' };
const dataset = { oid: 'd', name: 'D', schema: { tables: [table] } };
const relation = { oid: 'r', columns: [] };
const complete = { oid: 'm', title: 'M', datasets: [dataset], relations: [relation] };

/** Reads a datamodel from a server that returns this document, and lists its parts under addresses of their own. */
async function read(
  document: JsonObject,
): Promise<{ readonly model: JsonObject; readonly lists: readonly string[] }> {
  const lists: Readonly<Record<string, JsonValue>> = {
    datasets: [{ oid: 'd', name: 'D' }],
    tables: [table],
    relations: [relation],
  };
  const { client, transport } = createTestClient(({ url }) => {
    const name = new URL(url).pathname.split('/').at(-1) ?? '';
    return json(lists[name] ?? document);
  });
  const model = await readCompleteDatamodel(client, 'm');
  return { model, lists: transport.requestLines.map((line) => line.split('/').at(-1) ?? '').slice(1) };
}

test.each<readonly [string, JsonObject, readonly string[]]>([
  ['is complete', complete, []],
  ['has no relations, but an empty list of them', { ...complete, relations: [] }, []],
  ['lacks its relations', { oid: 'm', title: 'M', datasets: [dataset] }, ['relations']],
  ['lacks its datasets', { oid: 'm', title: 'M', relations: [relation] }, ['datasets', 'tables']],
  ['has only the IDs of its datasets', { ...complete, datasets: ['d'] }, ['datasets', 'tables']],
  ['lacks the tables of a dataset', { ...complete, datasets: [{ oid: 'd', name: 'D' }] }, ['tables']],
  [
    'has a dataset with an empty schema',
    { ...complete, datasets: [{ oid: 'd', name: 'D', schema: null }] },
    ['tables'],
  ],
])('what a datamodel lacks is requested: it %s', async (_text, document, expected) => {
  const { model, lists } = await read(document);
  expect(lists).toEqual(expected);
  expect(model).toMatchObject({
    datasets: [dataset],
    relations: stringify(document['relations']) === '[]' ? [] : [relation],
  });
});

test('a list with an invalid item fails, unless it is only needed as JSON', async () => {
  const invalid = { ...relation, columns: 5 };
  const { client } = createTestClient(() => json([invalid, relation]));
  const withoutRelations = { oid: 'm', title: 'M', datasets: [dataset] };
  await expect(completeDatamodel(client, withoutRelations, { datamodelId: 'm' })).rejects.toThrow(
    PartialResponseError,
  );
  const path = { datamodelId: 'm' };
  expect(await completeDatamodel(client, withoutRelations, path, undefined, readItemsAsJson)).toEqual({
    ...withoutRelations,
    relations: [invalid, relation],
  });
});
