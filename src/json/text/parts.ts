import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** Changes values by copying only what changes, so that the rest stays identical (see `computeEdits`). */

/** The value with one property set, or removed if it is `undefined`. Anything but an object is returned unchanged. */
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

/** The property of an object; `undefined` for anything else. */
export function getProperty(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * The value with the object at `name` changed. A missing or null one is created; a value of another type must not be
 * replaced, so everything stays as it is.
 */
export function withObjectAt(
  value: JsonValue,
  name: string,
  change: (object: JsonObject) => JsonValue,
): JsonValue {
  const object = getProperty(value, name) ?? {};
  return isJsonObject(object) ? withProperty(value, name, change(object)) : value;
}

/** The value with the array at `name` changed; see {@link withObjectAt}. */
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

/** The items without those at the given places, with these inserted before the item that was at `to`. */
export function moveItems<Item>(
  items: readonly Item[],
  places: readonly number[],
  to: number,
): readonly Item[] {
  const moving = new Set(places.filter((place) => place < items.length));
  const moved = [...moving].sort((a, b) => a - b).flatMap((place) => items.slice(place, place + 1));
  const isKept = (_item: Item, index: number): boolean => !moving.has(index);
  const before = items.filter((item, index) => index < to && isKept(item, index));
  const after = items.filter((item, index) => index >= to && isKept(item, index));
  return [...before, ...moved, ...after];
}
