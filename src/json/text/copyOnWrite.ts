import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

// Immutable updates: unchanged parts of a value stay identical (`===`), as `computeEdits` requires.

/** Sets a property of an object, or removes it if it is `undefined`. Other values are returned unchanged. */
export function withProperty(value: JsonValue, name: string, property: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) {
    return value;
  }
  if (property !== undefined) {
    return value[name] === property && Object.hasOwn(value, name) ? value : { ...value, [name]: property };
  }
  return Object.hasOwn(value, name) ? withoutProperty(value, name) : value;
}

const withoutProperty = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

/** Returns a property of an object; `undefined` for any other value. */
export function getProperty(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Changes the object in the property `name`. If the property is missing or null, an object is created; if it has
 * another type, nothing changes.
 */
export function withObjectAt(
  value: JsonValue,
  name: string,
  change: (object: JsonObject) => JsonValue,
): JsonValue {
  const object = getProperty(value, name) ?? {};
  return isJsonObject(object) ? withProperty(value, name, change(object)) : value;
}

/**
 * Changes the array in the property `name`. If the property is missing or null, an array is created; if it has another
 * type, nothing changes.
 */
export function withArrayAt(
  value: JsonValue,
  name: string,
  change: (items: readonly JsonValue[]) => readonly JsonValue[],
): JsonValue {
  const items = getProperty(value, name) ?? [];
  return isJsonArray(items) ? withProperty(value, name, change(items)) : value;
}

export const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);

/** Moves the items at some indexes to before the item that was at `targetIndex`. */
export function moveItems<Item>(
  items: readonly Item[],
  indexes: readonly number[],
  targetIndex: number,
): readonly Item[] {
  const movedIndexes = new Set(indexes.filter((index) => index < items.length));
  const movedItems = [...movedIndexes]
    .sort((a, b) => a - b)
    .flatMap((index) => items.slice(index, index + 1));
  const isNotMoved = (_item: Item, index: number): boolean => !movedIndexes.has(index);
  const before = items.filter((item, index) => index < targetIndex && isNotMoved(item, index));
  const after = items.filter((item, index) => index >= targetIndex && isNotMoved(item, index));
  return [...before, ...movedItems, ...after];
}
