import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** Reading documents of which nothing is certain: what is not as expected is as if it were not there. */

export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const itemsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The object without some of its members. */
export const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/**
 * The relations of a datamodel that join columns it has. One that had lost an end before stays as it is: the server
 * refuses it, and what took the end away brings it back whole.
 */
export function wholeRelations(model: JsonValue | undefined): readonly JsonObject[] {
  const columns = new Set(
    itemsOf(asObject(model)['datasets']).flatMap((dataset) =>
      itemsOf(asObject(dataset['schema'])['tables']).flatMap((table) =>
        itemsOf(table['columns']).map(({ oid }) => `${textOf(table['oid'])}/${textOf(oid)}`),
      ),
    ),
  );
  return itemsOf(asObject(model)['relations']).filter((relation) =>
    itemsOf(relation['columns']).every(({ table, column }) =>
      columns.has(`${textOf(table)}/${textOf(column)}`),
    ),
  );
}

/** What a relation is called: the tables that it joins, as far as one of the datamodels has them; else its id. */
export function relationName(relation: JsonObject, ...models: readonly (JsonValue | undefined)[]): string {
  const names = new Map(
    models
      .flatMap((model) => itemsOf(asObject(model)['datasets']))
      .flatMap((dataset) => itemsOf(asObject(dataset['schema'])['tables']))
      .map((table) => [textOf(table['oid']), nameOf(table)]),
  );
  const tables = itemsOf(relation['columns']).map(({ table }) => names.get(textOf(table)));
  return tables.length > 0 && tables.every((name) => name !== undefined)
    ? tables.join(' – ')
    : textOf(relation['oid']);
}

/** What a document is called. */
export const nameOf = (document: JsonObject): string =>
  textOf(document['name']) || textOf(document['title']) || textOf(document['id']) || textOf(document['oid']);
