/**
 * Maps items with an asynchronous function that runs for a limited number of items at once. Keeps their order. After a
 * failure no more items are started, and the result rejects when those that were running have ended.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  // All workers take their items from one iterator.
  const remaining = items.entries();
  const runWorker = async (): Promise<void> => {
    for (const [index, item] of remaining) {
      if (errors.length > 0) {
        return;
      }
      try {
        results[index] = await map(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runWorker));
  if (errors.length > 0) {
    throw errors[0];
  }
  return results;
}
