/** One page of a list: its items, and the total count if the server reports it. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

/** A list that a server returns page by page. */
export interface PagedList<T> {
  /** The page that begins at `offset`; it may be shorter than requested. */
  readonly page: (offset: number) => Promise<ListPage<T>>;
  readonly getId: (item: T) => unknown;
  /** Called after each page with the number of items read, and the total count if the server reports it. */
  readonly onProgress?: (read: number, total: number | undefined) => void;
}

/** Maximum number of attempts to read a list that keeps changing; then the last result is used. */
const maxReads = 5;

/**
 * Reads a paged list completely (rest-api.md, "GET /infusion/viewpoints": `offset` and `limit`). If an item is deleted
 * meanwhile, the following ones move across a page boundary, where they would be missed. So each page begins with the
 * last item of the previous page; if that item is missing, the list is read again.
 */
export async function loadCompleteList<T>(list: PagedList<T>): Promise<readonly T[]> {
  for (let reading = 1; ; reading += 1) {
    const { found, moved } = await readOnce(list, reading < maxReads);
    if (!moved) {
      return found;
    }
  }
}

/** @param stopIfMoved whether to stop as soon as items have moved across a page boundary */
async function readOnce<T>(
  { page, getId, onProgress }: PagedList<T>,
  careful: boolean,
): Promise<{ readonly found: readonly T[]; readonly moved: boolean }> {
  const found = new Map<unknown, T>();
  let offset = 0;
  let before: readonly unknown[] = [];
  for (;;) {
    // If a server returns one item at a time, the overlap would fill the page.
    const overlap = before.length > 1 ? 1 : 0;
    const { items, total } = await page(offset - overlap);
    const ids = items.map(getId);
    const known = found.size;
    items.forEach((item, index) => found.set(ids[index], item));
    onProgress?.(found.size, total);
    // A server that ignores the offset returns the same page again.
    const isSame = before.length > 0 && ids[0] === before[0];
    if (careful && overlap > 0 && !isSame && !ids.includes(before.at(-1))) {
      return { found: [], moved: true };
    }
    offset += items.length - overlap;
    before = ids;
    if (isSame || found.size === known || offset >= (total ?? Number.POSITIVE_INFINITY)) {
      return { found: [...found.values()], moved: false };
    }
  }
}
