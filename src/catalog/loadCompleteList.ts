/** One page of a list: what is on it, and how many there are in all, where the server tells. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

/** A list that a server answers page by page. */
export interface PagedList<T> {
  /** The page that begins so many things after the first; it may be shorter than what was asked for. */
  readonly page: (offset: number) => Promise<ListPage<T>>;
  readonly getId: (item: T) => unknown;
  /** How many were read, and how many there are in all, where the server tells. */
  readonly onProgress?: (read: number, total: number | undefined) => void;
}

/** How often a list is read from its beginning while others change it; then it counts as it was read. */
const maxReads = 5;

/**
 * All of a list that is answered page by page (spec, GET /infusion/viewpoints: `offset` and `limit`). What goes while
 * it is read moves what follows over the edge of a page, where nobody would read it: so a page begins with the last
 * thing of the page before, and where that is not on it, all is read anew.
 */
export async function loadCompleteList<T>(list: PagedList<T>): Promise<readonly T[]> {
  for (let reading = 1; ; reading += 1) {
    const { found, moved } = await readOnce(list, reading < maxReads);
    if (!moved) {
      return found;
    }
  }
}

/** @param careful whether a list that has moved is left at once */
async function readOnce<T>(
  { page, getId, onProgress }: PagedList<T>,
  careful: boolean,
): Promise<{ readonly found: readonly T[]; readonly moved: boolean }> {
  const found = new Map<unknown, T>();
  let offset = 0;
  let before: readonly unknown[] = [];
  for (;;) {
    // Of a server that answers one thing at a time, the thing before would be all of the page.
    const overlap = before.length > 1 ? 1 : 0;
    const { items, total } = await page(offset - overlap);
    const ids = items.map(getId);
    const known = found.size;
    items.forEach((item, index) => found.set(ids[index], item));
    onProgress?.(found.size, total);
    // A server that knows no offset answers the same page again.
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
