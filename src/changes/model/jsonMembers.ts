import { isJsonObject, type JsonObject, type JsonValue, mapMembers } from '../../base/json.ts';

/** Helpers for documents of unknown shape: unexpected values are treated as absent. */

/** Returns the value if it is an object; otherwise an empty object. */
export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns the objects of an array; empty for any other value. */
export const getObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

/** Returns the value if it is a string; otherwise an empty string. */
export const getText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns whether a value is one of the platform's spellings of an empty value. */
export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/**
 * Returns whether a column of a custom table has more than what is generated from the SQL of the table (rest-api.md,
 * "Column").
 */
export const hasColumnSettings = ({ hidden, description, isCustom }: JsonObject): boolean =>
  hidden === true || isCustom === true || getText(description) !== '';

/** Returns the object without some of its members. */
export const omitMembers = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  mapMembers(object, (value, name) => (names.includes(name) ? undefined : value));

/**
 * Returns the relations of a datamodel whose columns all exist. The server rejects a relation that has lost a column;
 * undoing the deletion of the column restores the relation too.
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

/** Returns the names of the tables that a relation joins, or its ID if a table is in none of the datamodels. */
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

/** Returns the name or title of a document, or else its ID. */
export const getDocumentName = (document: JsonObject): string =>
  getText(document['name']) ||
  getText(document['title']) ||
  getText(document['id']) ||
  getText(document['oid']);
