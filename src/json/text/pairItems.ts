import { isJsonObject, type JsonValue } from '../../base/json.ts';

/** The previous index of each item; `undefined` for a new one. */
type ItemPairs = readonly (number | undefined)[];

/**
 * Finds the previous index of each item of `after` in `before`: the identical item; if nothing has moved, a similar
 * item between the same neighbors; and if both have the same length, the item in the same place.
 */
export function pairItems(before: readonly JsonValue[], after: readonly JsonValue[]): ItemPairs {
  const pairs = pairSimilar(before, after, pairIdentical(before, after));
  const inPlace = pairs.every((old, index) => old === undefined || old === index);
  if (before.length !== after.length || !inPlace) {
    return pairs;
  }
  const taken = new Set(pairs);
  return pairs.map((old, index) => old ?? (taken.has(index) ? undefined : index));
}

function pairIdentical(before: readonly JsonValue[], after: readonly JsonValue[]): ItemPairs {
  const pairs = pairInPlace(before, after);
  const taken = new Set(pairs);
  const free = new Map<JsonValue, number[]>();
  before.forEach((item, index) => {
    if (!taken.has(index)) {
      const places = free.get(item);
      if (places === undefined) {
        free.set(item, [index]);
      } else {
        places.push(index);
      }
    }
  });
  return after.map((item, index) => pairs[index] ?? free.get(item)?.shift());
}

/** Pairs items at the same place, counted from the beginning or, after additions and removals, from the end. */
function pairInPlace(before: readonly JsonValue[], after: readonly JsonValue[]): ItemPairs {
  const shift = before.length - after.length;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) {
    head += 1;
  }
  let tail = after.length;
  while (tail > head && tail + shift > head && before[tail - 1 + shift] === after[tail - 1]) {
    tail -= 1;
  }
  return after.map((item, index) => {
    if (index >= tail) {
      return index + shift;
    }
    return index < head || (shift === 0 && before[index] === item) ? index : undefined;
  });
}

/** The number of removed items compared with each new one. */
const maxCandidates = 20;

/** A changed item among additions and removals is still the same item and keeps its comments and layout. */
function pairSimilar(before: readonly JsonValue[], after: readonly JsonValue[], pairs: ItemPairs): ItemPairs {
  const known = pairs.filter((old) => old !== undefined);
  if (known.some((old, index) => old <= (known[index - 1] ?? -1))) {
    return pairs;
  }
  let next = 0;
  return pairs.map((old, index) => {
    if (old !== undefined) {
      next = old + 1;
      return old;
    }
    const end = pairs.slice(index).find((later) => later !== undefined) ?? before.length;
    for (let place = next; place < Math.min(end, next + maxCandidates); place += 1) {
      if (areSimilar(before[place], after[index])) {
        next = place + 1;
        return place;
      }
    }
    return undefined;
  });
}

/** True if more than half of the properties of both objects are identical. */
function areSimilar(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined || !isJsonObject(a) || !isJsonObject(b)) {
    return false;
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const same = [...names].filter(
    (name) => Object.hasOwn(a, name) && Object.hasOwn(b, name) && a[name] === b[name],
  );
  return same.length * 2 > names.size;
}
