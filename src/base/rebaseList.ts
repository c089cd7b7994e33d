/**
 * Applies the edits that led from `seen` to `wanted` to `now`: what was added is added in its place, and what was
 * removed is removed, so that neither undoes changes made to the list elsewhere.
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

/** Counts the items by key. */
class Multiset {
  readonly #counts = new Map<string, number>();

  constructor(keys: readonly string[]) {
    for (const key of keys) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Removes one; false if none is left. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) {
      this.#counts.set(key, count - 1);
    }
    return count > 0;
  }
}
