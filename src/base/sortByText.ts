/** Compares by code units, which gives the same order on every system. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Sorts items by a text of each, which is computed once. */
export const sortByText = <Item>(items: readonly Item[], getText: (item: Item) => string): readonly Item[] =>
  items
    .map((item) => ({ item, text: getText(item) }))
    .toSorted((a, b) => compareTexts(a.text, b.text))
    .map(({ item }) => item);
