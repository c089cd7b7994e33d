import type { Viewpoint, ViewpointPage } from '../contract/viewpoint.ts';

/** The viewpoints that were loaded so far. */
export interface LoadedViewpoints {
  readonly viewpoints: readonly Viewpoint[];
  /** How many there are in all, where the server tells. */
  readonly total: number | undefined;
  /** False when nothing is left to load. */
  readonly hasMore: boolean;
}

/** Loads viewpoints page by page, in the order of the server (by id: spec, GET /infusion/viewpoints). */
export class ViewpointList {
  readonly #page: (offset: number) => Promise<ViewpointPage>;
  #loaded: LoadedViewpoints = { viewpoints: [], total: undefined, hasMore: true };
  #loading: Promise<LoadedViewpoints> | undefined;

  constructor(page: (offset: number) => Promise<ViewpointPage>) {
    this.#page = page;
  }

  /** What is loaded so far, without asking for anything. */
  get loaded(): LoadedViewpoints {
    return this.#loaded;
  }

  /** What is loaded, the first page at least. */
  async first(): Promise<LoadedViewpoints> {
    return this.#loaded.viewpoints.length === 0 && this.#loaded.hasMore ? this.more() : this.#loaded;
  }

  /** Loads one page more; callers at the same time share it. */
  async more(): Promise<LoadedViewpoints> {
    this.#loading ??= this.#loadNext().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadNext(): Promise<LoadedViewpoints> {
    const { viewpoints: known } = this.#loaded;
    const page = await this.#page(known.length);
    const ids = new Set(known.map(({ id }) => id));
    // A viewpoint that was created meanwhile moves the pages, so one may come twice.
    const fresh = page.viewpoints.filter(({ id }) => !ids.has(id));
    const viewpoints = [...known, ...fresh];
    const reachedTotal = page.total !== undefined && viewpoints.length >= page.total;
    this.#loaded = { viewpoints, total: page.total, hasMore: fresh.length > 0 && !reachedTotal };
    return this.#loaded;
  }
}
