import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';

/**
 * Returns whether a value has the form of an earlier version: objects have at least its members, also the nested ones,
 * and lists and objects are still lists and objects. Null matches any form.
 */
export function hasSameForm(value: JsonValue | undefined, previous: JsonValue | undefined): boolean {
  if (value === undefined || value === null || previous === undefined || previous === null) {
    return true;
  }
  if (Array.isArray(value) && Array.isArray(previous)) {
    return haveItemsSameForm(value, previous);
  }
  return isJsonObject(value) && isJsonObject(previous)
    ? Object.entries(previous).every(([name, member]) => name in value && hasSameForm(value[name], member))
    : ![value, previous].some((other) => Array.isArray(other) || isJsonObject(other));
}

/**
 * Compares the form of items, which are found by their IDs or names if some were added or removed; the columns of a
 * viewpoint by their dimensions (rest-api.md, "Column metadata").
 */
function haveItemsSameForm(items: readonly JsonValue[], previousItems: readonly JsonValue[]): boolean {
  if (items.length === previousItems.length) {
    return items.every((item, index) => hasSameForm(item, previousItems[index]));
  }
  const findPrevious = createItemFinder(previousItems);
  const found = items.map((item) => (isJsonObject(item) ? findPrevious(item) : previousItems[0]));
  // Otherwise, it's unknown which item is which, so the form is unknown, too.
  return (
    items.length === 0 ||
    previousItems.length === 0 ||
    (found.some((previous) => previous !== undefined) &&
      items.every((item, index) => hasSameForm(item, found[index])))
  );
}

/**
 * Returns a function that returns the first of the items that shares an ID, the name, or the dimension with an item.
 */
function createItemFinder(items: readonly JsonValue[]): (item: JsonObject) => JsonValue | undefined {
  const indices = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    for (const key of isJsonObject(item) ? getKeys(item) : []) {
      indices.set(key, indices.get(key) ?? index);
    }
  }
  return (item) => {
    const found = getKeys(item).flatMap((key) => indices.get(key) ?? []);
    return found.length === 0 ? undefined : items[Math.min(...found)];
  };
}

const getKeys = (item: JsonObject): readonly string[] =>
  ['oid', '_id', 'id', 'name', 'dim'].flatMap((name) => {
    const value = item[name];
    return typeof value === 'string' ? [`${name} ${value}`] : [];
  });
