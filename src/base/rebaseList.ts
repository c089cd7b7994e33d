/**
 * Three-way merge of lists: applies the additions and removals between `base` and `edited` to `current`, so that
 * concurrent changes to the list are kept.
 */
export function rebaseList<Item>(
  edited: readonly Item[],
  base: readonly Item[],
  current: readonly Item[],
  getKey: (item: Item) => string,
): readonly Item[] {
  const currentKeys = current.map(getKey);
  const isUnchanged =
    base.length === current.length && base.every((item, index) => getKey(item) === currentKeys[index]);
  if (isUnchanged) {
    return edited;
  }
  const unmatchedBaseKeys = new Multiset(base.map(getKey));
  const removedKeys = new Multiset(base.map(getKey));
  const keysAddedElsewhere = new Multiset(currentKeys);
  for (const item of edited) {
    removedKeys.tryRemove(getKey(item));
  }
  for (const item of base) {
    keysAddedElsewhere.tryRemove(getKey(item));
  }
  const result = current.filter((item) => !removedKeys.tryRemove(getKey(item)));
  const keys = result.map(getKey);
  let insertIndex = 0;
  for (const item of edited) {
    const key = getKey(item);
    if (unmatchedBaseKeys.tryRemove(key) || keysAddedElsewhere.tryRemove(key)) {
      const foundIndex = keys.indexOf(key, insertIndex);
      insertIndex = foundIndex < 0 ? insertIndex : foundIndex + 1;
    } else {
      result.splice(insertIndex, 0, item);
      keys.splice(insertIndex, 0, key);
      insertIndex += 1;
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
  tryRemove(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) {
      this.#counts.set(key, count - 1);
    }
    return count > 0;
  }
}
