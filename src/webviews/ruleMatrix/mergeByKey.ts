/** Adds the items to a list whose keys it doesn't contain yet. */
export function mergeByKey<Item extends { readonly key: string }>(
  base: readonly Item[],
  added: readonly Item[],
): readonly Item[] {
  const baseKeys = new Set(base.map(({ key }) => key));
  return [...base, ...added.filter(({ key }) => !baseKeys.has(key))];
}
