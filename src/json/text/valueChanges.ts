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
  const pairs = before.length === after.length ? findInPlaceItems(1, before, after) : undefined;
  return pairs === undefined ? reuseMoved(before, after) : reuseInPlace(before, after, pairs);
}

/**
 * Returns whether each item equals the item at the same index; `undefined` if more than `maxDifferences` items differ,
 * because some may have moved.
 */
function findInPlaceItems(
  most: number,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly boolean[] | undefined {
  let others = 0;
  const same: boolean[] = [];
  for (const [index, item] of after.entries()) {
    const isSame = deepEquals(before[index], item);
    others += isSame ? 0 : 1;
    if (others > most) {
      return undefined;
    }
    same.push(isSame);
  }
  return same;
}

/** Fast path for typing in one field: each item is visited only once. */
function reuseInPlace(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  same: readonly boolean[],
): readonly JsonValue[] {
  const shared = after.map((item, index) =>
    same[index] === true ? (before[index] ?? null) : reuseEqualParts(before[index], item),
  );
  return shared.every((item, index) => item === before[index]) ? before : shared;
}

function reuseMoved(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  const pairs = matchItems(before, after);
  const taken = new Set(pairs);
  const shared = after.map((item, index) => {
    const place = pairs[index] ?? (taken.has(index) ? undefined : index);
    const old = place === undefined ? undefined : before[place];
    // Numbers spelled differently are equal, but their text differs.
    return old !== undefined && deepEquals(old, item) ? old : reuseEqualParts(old, item);
  });
  const isSame = before.length === after.length && shared.every((item, index) => item === before[index]);
  return isSame ? before : shared;
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
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const at = [...path, name];
    return old === undefined ? [{ kind: 'set', path: at, value }] : computeValueChanges(old, value, at);
  });
  return [...removed, ...changed];
}

function computeItemChanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: JsonPath,
): readonly ValueChange[] {
  if (before.length === after.length) {
    const changed = after.flatMap((value, index) => (value === before[index] ? [] : [index]));
    if (changed.length <= maxItemChanges) {
      return changed.flatMap((index) =>
        computeValueChanges(before[index] ?? null, after[index] ?? null, [...path, index]),
      );
    }
  }
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start += 1;
  }
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end += 1;
  }
  const insert = after.slice(start, after.length - end);
  return [{ kind: 'splice', path, start, remove: before.length - end - start, insert }];
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
