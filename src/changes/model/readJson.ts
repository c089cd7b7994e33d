import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** Reads documents of unknown shape: unexpected values are treated as absent. */

export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const getObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

export const getText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the object without some of its members. */
export const omitMembers = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/**
 * Returns the relations of a datamodel whose columns all exist. One that had already lost an end stays as it is: the
 * server rejects it, and undoing the removal of the end restores the whole relation.
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

/** Returns the name of a relation: the tables that it joins, as far as one of the datamodels has them, or its ID. */
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

/** Returns the name of a document. */
export const getDocumentName = (document: JsonObject): string =>
  getText(document['name']) ||
  getText(document['title']) ||
  getText(document['id']) ||
  getText(document['oid']);
