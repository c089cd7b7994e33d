/**
 * Three-way merge of lists: applies the additions and removals between `base` and `edited` to `current`, so that
 * concurrent changes to the list are kept.
 */
export function rebaseList<Item>(
  wanted: readonly Item[],
  seen: readonly Item[],
  now: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const nowKeys = now.map(keyOf);
  const isUnchanged = seen.length === now.length && seen.every((item, at) => keyOf(item) === nowKeys[at]);
  if (isUnchanged) {
    return wanted;
  }
  const kept = new Multiset(seen.map(keyOf));
  const removed = new Multiset(seen.map(keyOf));
  const addedElsewhere = new Multiset(nowKeys);
  for (const item of wanted) {
    removed.take(keyOf(item));
  }
  for (const item of seen) {
    addedElsewhere.take(keyOf(item));
  }
  const result = now.filter((item) => !removed.take(keyOf(item)));
  const keys = result.map(keyOf);
  let at = 0;
  for (const item of wanted) {
    const key = keyOf(item);
    if (kept.take(key) || addedElsewhere.take(key)) {
      const place = keys.indexOf(key, at);
      at = place < 0 ? at : place + 1;
    } else {
      result.splice(at, 0, item);
      keys.splice(at, 0, key);
      at += 1;
    }
  }
  return result;
}

/** A set of keys, each with a count. */
class Multiset {
  readonly #counts = new Map<string, number>();

  constructor(keys: readonly string[]) {
    for (const key of keys) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Decrements the count of a key; false if the key is not in the set. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) {
      this.#counts.set(key, count - 1);
    }
    return count > 0;
  }
}
