const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * Compares names in natural order: case-insensitively, and numbers by value (`Table 2` before `Table 10`). Names that
 * differ only in case are ordered too, so that the result never depends on their order in the response.
 */
export function compareNaturally(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}

/** A copy of the items, sorted by name. */
export function sortByName<T>(items: readonly T[], getName: (item: T) => string): readonly T[] {
  return items
    .map((item) => ({ value: item, name: getName(item) }))
    .sort((a, b) => compareNaturally(a.name, b.name))
    .map(({ value: item }) => item);
}
