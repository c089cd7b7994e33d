import { isJsonObject, type JsonValue } from '../../base/json.ts';

/** The old index of each item; `undefined` for a new item. */
type ItemPairs = readonly (number | undefined)[];

/**
 * Finds the old index of each item of `after` in `before`: that of the identical item (`===`); if no item has moved,
 * that of a similar item between the same neighbors; and if both lists have the same length, the same index.
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

/** Pairs identical items at the same index, counted from the start or, after additions and removals, from the end. */
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

/** The maximum number of removed items that each new item is compared with. */
const maxCandidates = 20;

/** Pairs changed items with their old versions among additions and removals, so that they keep comments and layout. */
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
