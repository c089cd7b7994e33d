/** One page of a list: its items, and the total count if the server reports it. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

/** A list that a server returns page by page. */
export interface PagedList<T> {
  /** The page that begins at `offset`; it may be shorter than requested. */
  readonly loadPage: (offset: number) => Promise<ListPage<T>>;
  readonly getId: (item: T) => unknown;
  /** Called after each page with the number of items read, and the total count if the server reports it. */
  readonly onProgress?: (readCount: number, total: number | undefined) => void;
}

/** Maximum number of attempts to read a list that keeps changing; then the last result is used. */
const maxAttempts = 5;

/**
 * Reads a paged list completely (rest-api.md, "GET /infusion/viewpoints": `offset` and `limit`). If an item is deleted
 * meanwhile, the following ones move across a page boundary, where they would be missed. So each page begins with the
 * last item of the previous page; if that item is missing, the list is read again.
 */
export async function loadCompleteList<T>(list: PagedList<T>): Promise<readonly T[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { items, hasMoved } = await readOnce(list, attempt < maxAttempts);
    if (!hasMoved) {
      return items;
    }
  }
}

/** @param stopIfMoved whether to stop as soon as items have moved across a page boundary */
async function readOnce<T>(
  { loadPage, getId, onProgress }: PagedList<T>,
  stopIfMoved: boolean,
): Promise<{ readonly items: readonly T[]; readonly hasMoved: boolean }> {
  const itemsById = new Map<unknown, T>();
  let offset = 0;
  let previousIds: readonly unknown[] = [];
  for (;;) {
    // If a server returns one item at a time, the overlap would fill the page.
    const overlap = previousIds.length > 1 ? 1 : 0;
    const { items, total } = await loadPage(offset - overlap);
    const ids = items.map(getId);
    const previousCount = itemsById.size;
    items.forEach((item, index) => itemsById.set(ids[index], item));
    onProgress?.(itemsById.size, total);
    // A server that ignores the offset returns the same page again.
    const isSamePage = previousIds.length > 0 && ids[0] === previousIds[0];
    if (stopIfMoved && overlap > 0 && !isSamePage && !ids.includes(previousIds.at(-1))) {
      return { items: [], hasMoved: true };
    }
    offset += items.length - overlap;
    previousIds = ids;
    if (isSamePage || itemsById.size === previousCount || offset >= (total ?? Number.POSITIVE_INFINITY)) {
      return { items: [...itemsById.values()], hasMoved: false };
    }
  }
}
