import { type JsonPath, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { matchItems, deepEquals } from './matchItems.ts';

/** A change to a value. Changes are sent to a process that knows the previous value, instead of the whole new value. */
export type ValueChange =
  | { readonly kind: 'set'; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly path: JsonPath }
  | {
      readonly kind: 'splice';
      readonly path: JsonPath;
      readonly start: number;
      readonly remove: number;
      readonly insert: readonly JsonValue[];
    };

/**
 * Returns `after` with its equal parts taken from `before`: unchanged parts stay identical (`===`), so that they are
 * not sent or rendered again.
 */
export function reuseEqualParts(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (before === undefined || before === after) {
    return after;
  }
  if (isArray(before) && isArray(after)) {
    return reuseItems(before, after);
  }
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return deepEquals(before, after) ? before : after;
  }
  const entries = Object.entries(after).map(
    ([name, value]) =>
      [name, reuseEqualParts(Object.hasOwn(before, name) ? before[name] : undefined, value)] as const,
  );
  const isSame =
    entries.length === Object.keys(before).length &&
    entries.every(([name, value]) => Object.hasOwn(before, name) && before[name] === value);
  return isSame ? before : Object.fromEntries(entries);
}

/** Reuses equal items from any index, and equal parts of the item at the same index. */
function reuseItems(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  const unchangedFlags = before.length === after.length ? compareItemsInPlace(1, before, after) : undefined;
  return unchangedFlags === undefined
    ? reuseMovedItems(before, after)
    : reuseItemsInPlace(before, after, unchangedFlags);
}

/**
 * Returns whether each item equals the item at the same index; `undefined` if more than `maxDifferences` items differ,
 * because some may have moved.
 */
function compareItemsInPlace(
  maxDifferences: number,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly boolean[] | undefined {
  let differenceCount = 0;
  const unchangedFlags: boolean[] = [];
  for (const [index, item] of after.entries()) {
    const isSame = deepEquals(before[index], item);
    differenceCount += isSame ? 0 : 1;
    if (differenceCount > maxDifferences) {
      return undefined;
    }
    unchangedFlags.push(isSame);
  }
  return unchangedFlags;
}

/** Fast path for typing in one field: each item is visited only once. */
function reuseItemsInPlace(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  unchangedFlags: readonly boolean[],
): readonly JsonValue[] {
  const reusedItems = after.map((item, index) =>
    unchangedFlags[index] === true ? (before[index] ?? null) : reuseEqualParts(before[index], item),
  );
  return reusedItems.every((item, index) => item === before[index]) ? before : reusedItems;
}

function reuseMovedItems(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  const oldIndexes = matchItems(before, after);
  const matchedIndexes = new Set(oldIndexes);
  const reusedItems = after.map((item, index) => {
    const oldIndex = oldIndexes[index] ?? (matchedIndexes.has(index) ? undefined : index);
    const oldItem = oldIndex === undefined ? undefined : before[oldIndex];
    // Numbers spelled differently are equal, but their text differs.
    return oldItem !== undefined && deepEquals(oldItem, item) ? oldItem : reuseEqualParts(oldItem, item);
  });
  const isSame = before.length === after.length && reusedItems.every((item, index) => item === before[index]);
  return isSame ? before : reusedItems;
}

/** Computes the changes between two values whose unchanged parts are identical (see {@link reuseEqualParts}). */
export function computeValueChanges(
  before: JsonValue,
  after: JsonValue,
  path: JsonPath = [],
): readonly ValueChange[] {
  if (before === after) {
    return [];
  }
  if (isArray(before) && isArray(after)) {
    return computeItemChanges(before, after, path);
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return computePropertyChanges(before, after, path);
  }
  return [{ kind: 'set', path, value: after }];
}

function computePropertyChanges(
  before: JsonObject,
  after: JsonObject,
  path: JsonPath,
): readonly ValueChange[] {
  const removed = Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name): ValueChange => ({ kind: 'remove', path: [...path, name] }));
  const changed = Object.entries(after).flatMap(([name, value]): readonly ValueChange[] => {
    const oldValue = Object.hasOwn(before, name) ? before[name] : undefined;
    const memberPath = [...path, name];
    return oldValue === undefined
      ? [{ kind: 'set', path: memberPath, value }]
      : computeValueChanges(oldValue, value, memberPath);
  });
  return [...removed, ...changed];
}

function computeItemChanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: JsonPath,
): readonly ValueChange[] {
  if (before.length === after.length) {
    const changedIndexes = after.flatMap((value, index) => (value === before[index] ? [] : [index]));
    if (changedIndexes.length <= maxItemChanges) {
      return changedIndexes.flatMap((index) =>
        computeValueChanges(before[index] ?? null, after[index] ?? null, [...path, index]),
      );
    }
  }
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start += 1;
  }
  let commonSuffixLength = 0;
  const maxSuffixLength = Math.min(before.length, after.length) - start;
  while (
    commonSuffixLength < maxSuffixLength &&
    before[before.length - 1 - commonSuffixLength] === after[after.length - 1 - commonSuffixLength]
  ) {
    commonSuffixLength += 1;
  }
  const insert = after.slice(start, after.length - commonSuffixLength);
  return [{ kind: 'splice', path, start, remove: before.length - commonSuffixLength - start, insert }];
}

/** Up to this many changed items are sent as separate changes; more are sent as one splice. */
const maxItemChanges = 50;

/** Applies the changes to a value. Unchanged parts stay identical (`===`). */
export function applyValueChanges(value: JsonValue, changes: readonly ValueChange[]): JsonValue {
  return changes.reduce((current, change) => applyChangeAt(current, change, change.path), value);
}

function applyChangeAt(value: JsonValue, change: ValueChange, path: JsonPath): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) {
    return applyChangeToValue(value, change);
  }
  if (isArray(value)) {
    return value.with(Number(step), applyChangeAt(value[Number(step)] ?? null, change, rest));
  }
  const object = isJsonObject(value) ? value : {};
  if (change.kind === 'remove' && rest.length === 0) {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== step));
  }
  return { ...object, [step]: applyChangeAt(object[step] ?? null, change, rest) };
}

function applyChangeToValue(value: JsonValue, change: ValueChange): JsonValue {
  switch (change.kind) {
    case 'set':
      return change.value;
    case 'splice':
      return isArray(value)
        ? [...value.slice(0, change.start), ...change.insert, ...value.slice(change.start + change.remove)]
        : value;
    case 'remove':
      return value;
  }
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
