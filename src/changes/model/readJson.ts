import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** Reading documents of which nothing is certain: what is not as expected is as if it were not there. */

export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const getObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

export const getText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The object without some of its members. */
export const omitMembers = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/**
 * The relations of a datamodel that join columns it has. One that had lost an end before stays as it is: the server
 * refuses it, and what took the end away brings it back whole.
 */
export function getCompleteRelations(model: JsonValue | undefined): readonly JsonObject[] {
  const columns = new Set(
    getObjects(asObject(model)['datasets']).flatMap((dataset) =>
      getObjects(asObject(dataset['schema'])['tables']).flatMap((table) =>
        getObjects(table['columns']).map(({ oid }) => `${getText(table['oid'])}/${getText(oid)}`),
      ),
    ),
  );
  return getObjects(asObject(model)['relations']).filter((relation) =>
    getObjects(relation['columns']).every(({ table, column }) =>
      columns.has(`${getText(table)}/${getText(column)}`),
    ),
  );
}

/** What a relation is called: the tables that it joins, as far as one of the datamodels has them; else its id. */
export function getRelationName(relation: JsonObject, ...models: readonly (JsonValue | undefined)[]): string {
  const names = new Map(
    models
      .flatMap((model) => getObjects(asObject(model)['datasets']))
      .flatMap((dataset) => getObjects(asObject(dataset['schema'])['tables']))
      .map((table) => [getText(table['oid']), getDocumentName(table)]),
  );
  const tables = getObjects(relation['columns']).map(({ table }) => names.get(getText(table)));
  return tables.length > 0 && tables.every((name) => name !== undefined)
    ? tables.join(' – ')
    : getText(relation['oid']);
}

/** What a document is called. */
export const getDocumentName = (document: JsonObject): string =>
  getText(document['name']) ||
  getText(document['title']) ||
  getText(document['id']) ||
  getText(document['oid']);
