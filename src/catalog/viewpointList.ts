import { type UnreadableItem, countUnreadable, toPartialResult } from '../contract/partialResult.ts';
import type { Viewpoint, ViewpointPage } from '../contract/viewpoint.ts';

/** The viewpoints loaded so far. */
export interface LoadedViewpoints {
  readonly viewpoints: readonly Viewpoint[];
  /** The unreadable viewpoints on the same pages. */
  readonly unreadable: readonly UnreadableItem[];
  /** Number of further unreadable viewpoints. */
  readonly omittedCount: number;
  /** Total count, if the server reports it. */
  readonly total: number | undefined;
  /** False if nothing is left to load. */
  readonly hasMore: boolean;
}

/** Loads a page starting at `offset`, of the usual size or of `minCount` items if that is more. */
export type LoadViewpointPage = (offset: number, atLeast: number) => Promise<ViewpointPage>;

/** Loads viewpoints page by page, in the order of the server (by id: rest-api.md, "GET /infusion/viewpoints"). */
export class ViewpointList {
  readonly #page: LoadViewpointPage;
  readonly #atLeast: number;
  #loaded = emptyViewpoints;
  #loading: Promise<LoadedViewpoints> | undefined;

  /** @param minCount minimum size of the first page: the number shown before the list was invalidated */
  constructor(page: LoadViewpointPage, atLeast = 0) {
    this.#page = page;
    this.#atLeast = atLeast;
  }

  /** Everything loaded so far, without a request. */
  get loaded(): LoadedViewpoints {
    return this.#loaded;
  }

  /** Everything loaded so far; loads the first page if there is none yet. */
  async first(): Promise<LoadedViewpoints> {
    const loaded = this.#loaded;
    return countLoadedViewpoints(loaded) === 0 && loaded.hasMore ? this.more(this.#atLeast) : loaded;
  }

  /** Loads one more page, of at least `minCount` items; concurrent callers share the request. */
  async more(atLeast = 0): Promise<LoadedViewpoints> {
    this.#loading ??= this.#loadNext(atLeast).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadNext(atLeast: number): Promise<LoadedViewpoints> {
    const before = this.#loaded;
    const next = await this.#withPage(before, atLeast);
    const hasShrunk = next.total !== undefined && next.total < (before.total ?? 0);
    this.#loaded = hasShrunk ? await this.#reload(countLoadedViewpoints(next)) : next;
    return this.#loaded;
  }

  /** Loads all pages again, since deleted viewpoints have moved others across a page boundary. */
  async #reload(count: number): Promise<LoadedViewpoints> {
    let loaded = emptyViewpoints;
    while (loaded.hasMore && countLoadedViewpoints(loaded) < count) {
      loaded = await this.#withPage(
        loaded,
        Math.min(count - countLoadedViewpoints(loaded), maxReloadPageSize),
      );
    }
    return loaded;
  }

  /** Loads one more page and appends it to the loaded viewpoints. */
  async #withPage(loaded: LoadedViewpoints, atLeast: number): Promise<LoadedViewpoints> {
    const { viewpoints: known, unreadable: before } = loaded;
    const answer = await toPartialResult(this.#page(countLoadedViewpoints(loaded), atLeast));
    const page = answer.value;
    const ids = new Set(known.map(({ id }) => id));
    // A viewpoint that was created meanwhile moves the pages, so one may appear twice.
    const fresh = page.viewpoints.filter(({ id }) => !ids.has(id));
    const viewpoints = [...known, ...fresh];
    const unreadable = [...before, ...answer.unreadable];
    const next = {
      viewpoints,
      unreadable,
      omittedCount: loaded.omittedCount + (answer.omittedCount ?? 0),
      total: page.total,
    };
    const reachedTotal = page.total !== undefined && countLoadedViewpoints(next) >= page.total;
    const hasMore = fresh.length + countUnreadable(answer) > 0 && !reachedTotal;
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
