import { type UnreadableItem, countUnreadable, toPartialResult } from '../contract/partialResult.ts';
import type { Viewpoint, ViewpointPage } from '../contract/viewpoint.ts';

/** The viewpoints that were loaded so far. */
export interface LoadedViewpoints {
  readonly viewpoints: readonly Viewpoint[];
  /** Those of the same pages that cannot be read. */
  readonly unreadable: readonly UnreadableItem[];
  /** How many more of them cannot be read. */
  readonly omittedCount: number;
  /** How many there are in all, where the server tells. */
  readonly total: number | undefined;
  /** False when nothing is left to load. */
  readonly hasMore: boolean;
}

/** What asks for a page from `offset` on, of the usual size or of `atLeast` if that is more. */
export type LoadViewpointPage = (offset: number, atLeast: number) => Promise<ViewpointPage>;

/** Loads viewpoints page by page, in the order of the server (by id: spec, GET /infusion/viewpoints). */
export class ViewpointList {
  readonly #page: LoadViewpointPage;
  readonly #atLeast: number;
  #loaded = emptyViewpoints;
  #loading: Promise<LoadedViewpoints> | undefined;

  /** @param atLeast how many the first page brings at least: those that were shown before all was asked for anew */
  constructor(page: LoadViewpointPage, atLeast = 0) {
    this.#page = page;
    this.#atLeast = atLeast;
  }

  /** What is loaded so far, without asking for anything. */
  get loaded(): LoadedViewpoints {
    return this.#loaded;
  }

  /** What is loaded, the first page at least. */
  async first(): Promise<LoadedViewpoints> {
    const loaded = this.#loaded;
    return countLoadedViewpoints(loaded) === 0 && loaded.hasMore ? this.more(this.#atLeast) : loaded;
  }

  /** Loads one page more, of at least so many; callers at the same time share it. */
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

  /** All that was loaded once more: viewpoints that went have moved others over the edge of a page. */
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

  /** What is loaded with one page more. */
  async #withPage(loaded: LoadedViewpoints, atLeast: number): Promise<LoadedViewpoints> {
    const { viewpoints: known, unreadable: before } = loaded;
    const answer = await toPartialResult(this.#page(countLoadedViewpoints(loaded), atLeast));
    const page = answer.value;
    const ids = new Set(known.map(({ id }) => id));
    // A viewpoint that was created meanwhile moves the pages, so one may come twice.
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

/** The most that are asked for in one request when all is loaded once more. */
const maxReloadPageSize = 500;

const emptyViewpoints: LoadedViewpoints = {
  viewpoints: [],
  unreadable: [],
  omittedCount: 0,
  total: undefined,
  hasMore: true,
};

/** How many viewpoints were loaded, those that cannot be read included. */
export const countLoadedViewpoints = (loaded: Omit<LoadedViewpoints, 'total' | 'hasMore'>): number =>
  loaded.viewpoints.length + countUnreadable(loaded);
