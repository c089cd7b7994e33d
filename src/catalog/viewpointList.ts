import { type UnreadableItem, countUnreadable, toPartialResult } from '../contract/partialResult.ts';
import type { Viewpoint, ViewpointPage } from '../contract/viewpoint.ts';

/** The viewpoints loaded so far. */
export interface LoadedViewpoints {
  readonly viewpoints: readonly Viewpoint[];
  /** The unreadable viewpoints on the same pages. */
  readonly unreadable: readonly UnreadableItem[];
  /** Number of unreadable viewpoints that `unreadable` doesn't list. */
  readonly omittedCount: number;
  /** Total count, if the server reports it. */
  readonly total: number | undefined;
  /** False if nothing is left to load. */
  readonly hasMore: boolean;
}

/** Loads a page starting at `offset`, of the usual size or of `minCount` items if that is more. */
export type LoadViewpointPage = (offset: number, minCount: number) => Promise<ViewpointPage>;

/** Loads viewpoints page by page, in the order of the server (by id: rest-api.md, "GET /infusion/viewpoints"). */
export class ViewpointList {
  readonly #loadPage: LoadViewpointPage;
  readonly #minFirstPageSize: number;
  #loaded = emptyViewpoints;
  #loading: Promise<LoadedViewpoints> | undefined;

  /** @param minCount minimum size of the first page: the number shown before the list was invalidated */
  constructor(loadPage: LoadViewpointPage, minCount = 0) {
    this.#loadPage = loadPage;
    this.#minFirstPageSize = minCount;
  }

  /** Everything loaded so far, without a request. */
  get loaded(): LoadedViewpoints {
    return this.#loaded;
  }

  /** Everything loaded so far; loads the first page if there is none yet. */
  async loadFirst(): Promise<LoadedViewpoints> {
    const loaded = this.#loaded;
    return countLoadedViewpoints(loaded) === 0 && loaded.hasMore
      ? this.loadMore(this.#minFirstPageSize)
      : loaded;
  }

  /** Loads one more page, of at least `minCount` items; concurrent callers share the request. */
  async loadMore(minCount = 0): Promise<LoadedViewpoints> {
    this.#loading ??= this.#loadNext(minCount).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadNext(minCount: number): Promise<LoadedViewpoints> {
    const previous = this.#loaded;
    const next = await this.#appendPage(previous, minCount);
    const hasShrunk = next.total !== undefined && next.total < (previous.total ?? 0);
    this.#loaded = hasShrunk ? await this.#reload(countLoadedViewpoints(next)) : next;
    return this.#loaded;
  }

  /** Loads all pages again, since deleted viewpoints have moved others across a page boundary. */
  async #reload(count: number): Promise<LoadedViewpoints> {
    let loaded = emptyViewpoints;
    while (loaded.hasMore && countLoadedViewpoints(loaded) < count) {
      loaded = await this.#appendPage(
        loaded,
        Math.min(count - countLoadedViewpoints(loaded), maxReloadPageSize),
      );
    }
    return loaded;
  }

  /** Loads one more page and appends it to the loaded viewpoints. */
  async #appendPage(loaded: LoadedViewpoints, minCount: number): Promise<LoadedViewpoints> {
    const { viewpoints: previousViewpoints, unreadable: previousUnreadable } = loaded;
    const result = await toPartialResult(this.#loadPage(countLoadedViewpoints(loaded), minCount));
    const page = result.value;
    const ids = new Set(previousViewpoints.map(({ id }) => id));
    // A viewpoint that was created meanwhile moves the pages, so one may appear twice.
    const newViewpoints = page.viewpoints.filter(({ id }) => !ids.has(id));
    const viewpoints = [...previousViewpoints, ...newViewpoints];
    const unreadable = [...previousUnreadable, ...result.unreadable];
    const next = {
      viewpoints,
      unreadable,
      omittedCount: loaded.omittedCount + (result.omittedCount ?? 0),
      total: page.total,
    };
    const hasReachedTotal = page.total !== undefined && countLoadedViewpoints(next) >= page.total;
    const hasMore = newViewpoints.length + countUnreadable(result) > 0 && !hasReachedTotal;
    return { ...next, hasMore };
  }
}

/** Maximum number of viewpoints per request when everything is loaded again. */
const maxReloadPageSize = 500;

const emptyViewpoints: LoadedViewpoints = {
  viewpoints: [],
  unreadable: [],
  omittedCount: 0,
  total: undefined,
  hasMore: true,
};

/** Number of loaded viewpoints, including unreadable ones. */
export const countLoadedViewpoints = (loaded: Omit<LoadedViewpoints, 'total' | 'hasMore'>): number =>
  loaded.viewpoints.length + countUnreadable(loaded);
