import { isJsonObject, isRawNumber, type JsonValue, stringify } from '../../base/json.ts';

/** Number of columns that a table of objects shows by default. */
export const defaultColumnCount = 12;

/** The member names of the objects, as columns: the ID first, then by frequency. */
export function getResultColumns(objects: readonly JsonValue[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const object of objects) {
    for (const name of isJsonObject(object) ? Object.keys(object) : []) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, countA], [b, countB]) => Number(b === '_id') - Number(a === '_id') || countB - countA)
    .map(([name]) => name);
}

/** The text of a cell: text as it is, anything else as JSON; `undefined` if the member does not exist. */
export function formatCell(object: JsonValue, name: string): string | undefined {
  const value = isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined) {
    return undefined;
  }
  if (typeof value === 'string') {
    return value;
  }
  return isRawNumber(value) ? value.rawJSON : stringify(value);
}

/** The ID under which the object can be edited as a document; an object without one is read-only. */
export function getObjectId(object: JsonValue): string | undefined {
  const id = isJsonObject(object) ? object['_id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
