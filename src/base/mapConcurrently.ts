/** Maps items with an asynchronous function that runs for a limited number of items at once. Keeps their order. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const runWorker = async (): Promise<void> => {
    // All workers take their items from one iterator.
    for (const [index, item] of remaining) {
      results[index] = await map(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runWorker));
  return results;
}
