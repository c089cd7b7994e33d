import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { sameItems, saysSame } from './sameItems.ts';

export type Path = readonly (string | number)[];

/** One step from a value to another: what is to be sent when both ends know the first. */
export type ValueChange =
  | { readonly kind: 'set'; readonly path: Path; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly path: Path }
  | {
      readonly kind: 'splice';
      readonly path: Path;
      readonly start: number;
      readonly remove: number;
      readonly insert: readonly JsonValue[];
    };

/**
 * `after`, made of the parts of `before` that are equal: what did not change stays identical (`===`), so that it is
 * neither sent nor drawn again.
 */
export function shareParts(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (before === undefined || before === after) {
    return after;
  }
  if (isArray(before) && isArray(after)) {
    return shareItems(before, after);
  }
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return saysSame(before, after) ? before : after;
  }
  const entries = Object.entries(after).map(
    ([name, value]) =>
      [name, shareParts(Object.hasOwn(before, name) ? before[name] : undefined, value)] as const,
  );
  const isSame =
    entries.length === Object.keys(before).length &&
    entries.every(([name, value]) => Object.hasOwn(before, name) && before[name] === value);
  return isSame ? before : Object.fromEntries(entries);
}

/** An item is made of the one that says the same, wherever that stood; or else of the one in its place. */
function shareItems(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  const pairs = before.length === after.length ? inPlaceBut(1, before, after) : undefined;
  return pairs === undefined ? shareMoved(before, after) : shareInPlace(before, after, pairs);
}

/** Which items are the same in the same place; `undefined` where more than `most` are not, so that some may have moved. */
function inPlaceBut(
  most: number,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly boolean[] | undefined {
  let others = 0;
  const same: boolean[] = [];
  for (const [index, item] of after.entries()) {
    const isSame = saysSame(before[index], item);
    others += isSame ? 0 : 1;
    if (others > most) {
      return undefined;
    }
    same.push(isSame);
  }
  return same;
}

/** The usual case, a key typed somewhere: each item is looked at once. */
function shareInPlace(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  same: readonly boolean[],
): readonly JsonValue[] {
  const shared = after.map((item, index) =>
    same[index] === true ? (before[index] ?? null) : shareParts(before[index], item),
  );
  return shared.every((item, index) => item === before[index]) ? before : shared;
}

function shareMoved(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  const pairs = sameItems(before, after);
  const taken = new Set(pairs);
  const shared = after.map((item, index) => {
    const place = pairs[index] ?? (taken.has(index) ? undefined : index);
    const old = place === undefined ? undefined : before[place];
    // Numbers that are spelled another way are the same number, but not the same text.
    return old !== undefined && saysSame(old, item) ? old : shareParts(old, item);
  });
  const isSame = before.length === after.length && shared.every((item, index) => item === before[index]);
  return isSame ? before : shared;
}

/** The steps from one value to another that shares its unchanged parts (see {@link shareParts}). */
export function valueChanges(before: JsonValue, after: JsonValue, path: Path = []): readonly ValueChange[] {
  if (before === after) {
    return [];
  }
  if (isArray(before) && isArray(after)) {
    return itemChanges(before, after, path);
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return propertyChanges(before, after, path);
  }
  return [{ kind: 'set', path, value: after }];
}

function propertyChanges(before: JsonObject, after: JsonObject, path: Path): readonly ValueChange[] {
  const removed = Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name): ValueChange => ({ kind: 'remove', path: [...path, name] }));
  const changed = Object.entries(after).flatMap(([name, value]): readonly ValueChange[] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const at = [...path, name];
    return old === undefined ? [{ kind: 'set', path: at, value }] : valueChanges(old, value, at);
  });
  return [...removed, ...changed];
}

function itemChanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: Path,
): readonly ValueChange[] {
  if (before.length === after.length) {
    const changed = after.flatMap((value, index) => (value === before[index] ? [] : [index]));
    if (changed.length <= fewItems) {
      return changed.flatMap((index) =>
        valueChanges(before[index] ?? null, after[index] ?? null, [...path, index]),
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

/** So many changed items are told one by one; more of them at once. */
const fewItems = 50;

/** The value after the steps; what they do not name stays identical. */
export function applyChanges(value: JsonValue, changes: readonly ValueChange[]): JsonValue {
  return changes.reduce((current, change) => applyAt(current, change, change.path), value);
}

function applyAt(value: JsonValue, change: ValueChange, path: Path): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) {
    return applyHere(value, change);
  }
  if (isArray(value)) {
    return value.with(Number(step), applyAt(value[Number(step)] ?? null, change, rest));
  }
  const object = isJsonObject(value) ? value : {};
  if (change.kind === 'remove' && rest.length === 0) {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== step));
  }
  return { ...object, [step]: applyAt(object[step] ?? null, change, rest) };
}

function applyHere(value: JsonValue, change: ValueChange): JsonValue {
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
