import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { getObjects, getText, isEmpty } from '../model/jsonMembers.ts';
import { getColumnNameOrId, isSameSql } from './matchesStored.ts';

/**
 * Returns whether a new item has the settings that it was created with, besides those that `matchesCreated` compares:
 * its description, whether it's hidden, its tags, and the same of its columns. Members that neither the request nor the
 * response shows are empty by default. Custom columns are compared with their SQL; other columns may be generated from
 * the SQL of a custom table (rest-api.md, "Table").
 * @param created the request, and the response as far as it shows the item
 */
export function hasCreatedSettings(
  current: JsonObject,
  created: { readonly body: JsonObject; readonly response: JsonObject },
): boolean {
  const { body, response } = created;
  const shown = { ...body, ...response };
  const columns = [response, body].map((source) => getObjects(source['columns']));
  const findCreated = (column: JsonObject): JsonObject | undefined => {
    const found = columns.map((list) => list.find((other) => isSameColumn(other, column)));
    return found.every((other) => other === undefined) ? undefined : { ...found[1], ...found[0] };
  };
  return (
    hasSameSettings(current, shown) &&
    getObjects(current['columns']).every((column) => {
      const createdColumn = findCreated(column);
      return column['isCustom'] === true
        ? createdColumn !== undefined &&
            hasSameSettings(column, createdColumn) &&
            isSameSql(column['expression'] ?? null, createdColumn['expression'])
        : hasSameSettings(column, createdColumn ?? {});
    })
  );
}

const isSameColumn = (a: JsonObject, b: JsonObject): boolean => {
  const [oidOfA, oidOfB] = [getText(a['oid']), getText(b['oid'])];
  return oidOfA !== '' && oidOfB !== '' ? oidOfA === oidOfB : getColumnNameOrId(a) === getColumnNameOrId(b);
};

const settings = ['description', 'hidden', 'tags'] as const;

const hasSameSettings = (current: JsonObject, created: JsonObject): boolean =>
  settings.every((name) => {
    const [now, then] = [current[name], created[name]];
    return (isEmpty(now) && isEmpty(then)) || jsonEquals(now, then, isServerManagedField);
  });

/**
 * Returns the body of the request that created an item, merged with the bodies of later requests of the same operation
 * that have changed the item.
 */
export const withLaterBodies = (body: JsonObject, laterBodies: readonly JsonObject[]): JsonObject =>
  laterBodies.reduce<JsonObject>((merged, later) => ({ ...merged, ...later }), body);
