import { retryOnSessionReplaced } from '../../client/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { countLoadedViewpoints, ViewpointList } from '../../catalog/viewpointList.ts';
import type { UnreadableItem } from '../../contract/partialResult.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Session } from '../../connections/sessions.ts';
import type { DatamodelPreloader, PreloadResult } from './datamodelPreloader.ts';
import type { FindDeps } from './deps.ts';
import { type FindResult, getResultKey } from './findResult.ts';
import { getOtherSpellings } from './otherSpellings.ts';

/** The number of viewpoints per request and connection. */
const viewpointPageSize = 50;

/** A connection, or one datamodel of it, that could not be searched, and the reason. */
export interface SearchFailure {
  readonly connection: Connection;
  /** The title of the datamodel; absent if the whole connection failed. */
  readonly datamodelTitle?: string;
  readonly error: unknown;
}

/** What a connection can still be searched for: datamodels not searched yet, or found viewpoints not loaded yet. */
export interface SearchRemainder {
  readonly kind: 'datamodels' | 'viewpoints';
  readonly connection: Connection;
  /** The number of remaining items; `undefined` if the server does not report it. */
  readonly count: number | undefined;
}

/** The viewpoints of a connection found for a text, or for another spelling of it; loaded page by page. */
interface ViewpointSearchResult {
  readonly text: string;
  readonly connection: Connection;
  readonly list: ViewpointList;
}

/**
 * Searches the servers, within limits, for what is not loaded yet: the list of datamodels, their contents, and the
 * viewpoints that contain a text. Disposing it cancels all searches.
 */
export class ServerSearch implements Disposable {
  readonly #deps: FindDeps;
  readonly #datamodelPreloader: DatamodelPreloader;
  readonly #store = new DisposableStore();
  readonly #abort = new AbortController();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Fires when more was found, or a search has ended. */
  readonly onDidChange = this.#onDidChange.event;
  /** The last failure of each kind of search on each connection. */
  readonly #failures = new Map<string, SearchFailure>();
  /** The last result of loading the datamodels of each connection. */
  readonly #preloadResults = new Map<
    string,
    { readonly connection: Connection; readonly preloadResult: PreloadResult }
  >();
  /**
   * The last viewpoints found on each connection. They are kept until the next result arrives, so that the list is not
   * empty during a search.
   */
  readonly #viewpointResults = new Map<string, ViewpointSearchResult>();
  /** The viewpoints last found on each connection for other spellings of the text, a list for each spelling. */
  readonly #otherSpellingResults = new Map<string, readonly ViewpointSearchResult[]>();
  #viewpointSearchAbort = new AbortController();
  #pendingCount = 0;

  constructor(deps: FindDeps, datamodelPreloader: DatamodelPreloader) {
    this.#deps = deps;
    this.#datamodelPreloader = datamodelPreloader;
  }

  get isBusy(): boolean {
    return this.#pendingCount > 0;
  }

  get failures(): readonly SearchFailure[] {
    const connectionFailures = new Map(
      [...this.#failures.values()].map((failure) => [failure.connection.id, failure]),
    );
    const datamodelFailures = [...this.#preloadResults.values()].flatMap(({ connection, preloadResult }) =>
      preloadResult.failedDatamodels.map(({ title, error }) => ({
        connection,
        datamodelTitle: title,
        error,
      })),
    );
    return [...connectionFailures.values(), ...datamodelFailures];
  }

  /** Returns what can still be searched: datamodels, and more viewpoints for exactly this text. */
  getRemainder(text: string): readonly SearchRemainder[] {
    const datamodels = [...this.#preloadResults.values()].flatMap(
      ({ connection, preloadResult: { remainingCount } }): SearchRemainder[] =>
        remainingCount === 0 ? [] : [{ kind: 'datamodels', connection, count: remainingCount }],
    );
    return [...this.#getViewpointRemainder(text), ...datamodels];
  }

  /** The viewpoints that the servers found last, for any text. */
  get viewpoints(): readonly FindResult[] {
    const results = [
      ...[...this.#viewpointResults.values()].flatMap(toFindResults),
      ...[...this.#otherSpellingResults.values()].flat().flatMap(toFindResults),
    ];
    return [...new Map(results.map((result) => [getResultKey(result), result])).values()];
  }

  /** Returns the viewpoints found for exactly this text, including those that match by description only. */
  getViewpoints(text: string): readonly FindResult[] {
    return this.#getViewpointResults(text).flatMap(toFindResults);
  }

  /** Returns the unreadable viewpoints among those found for exactly this text. */
  getUnreadableViewpoints(text: string): readonly UnreadableItem[] {
    return this.#getViewpointResults(text).flatMap(({ list }) => list.loaded.unreadable);
  }

  /** Continues the search of one connection. */
  async continueSearch({ kind, connection }: SearchRemainder): Promise<void> {
    if (kind === 'datamodels') {
      await this.loadDatamodels([connection]);
      return;
    }
    const { signal } = this.#viewpointSearchAbort;
    await this.#forEachConnection(
      kind,
      [connection],
      async () => {
        await this.#viewpointResults.get(connection.id)?.list.loadMore();
        const otherResults = (this.#otherSpellingResults.get(connection.id) ?? []).filter(
          (result) => getListRemainder(result) !== undefined,
        );
        await this.#tryLoad(otherResults, ({ list }) => list.loadMore(), signal);
      },
      signal,
    );
  }

  /**
   * Loads the datamodels that are not loaded yet, down to their columns, within the limits of {@link
   * DatamodelPreloader}.
   */
  async loadDatamodels(connections = this.#deps.connections.all): Promise<void> {
    const { signal } = this.#abort;
    await this.#forEachConnection(
      'datamodels',
      connections,
      async ({ catalog }, connection) => {
        const preloadResult = await this.#datamodelPreloader.load(catalog, signal, () =>
          this.#onDidChange.fire(),
        );
        this.#preloadResults.set(connection.id, { connection, preloadResult });
      },
      signal,
    );
  }

  /** Searches for viewpoints with the text in their name or description; cancels the previous search. */
  async searchViewpoints(text: string): Promise<void> {
    this.#viewpointSearchAbort.abort();
    this.#viewpointSearchAbort = new AbortController();
    const { signal } = this.#viewpointSearchAbort;
    if (text === '') {
      this.#viewpointResults.clear();
      this.#otherSpellingResults.clear();
      return;
    }
    await this.#forEachConnection(
      'viewpoints',
      this.#deps.connections.all,
      async (_, connection) => {
        const list = this.#createViewpointList(text, connection, signal);
        await list.loadFirst();
        if (!signal.aborted) {
          this.#viewpointResults.set(connection.id, { text, connection, list });
          this.#onDidChange.fire();
        }
        const otherResults = await this.#searchOtherSpellings(text, connection, signal);
        if (!signal.aborted) {
          this.#otherSpellingResults.set(connection.id, otherResults);
        }
      },
      signal,
    );
  }

  dispose(): void {
    this.#abort.abort();
    this.#viewpointSearchAbort.abort();
    this.#store.dispose();
  }

  #getViewpointResults(text: string): readonly ViewpointSearchResult[] {
    return [...this.#viewpointResults.values()].filter((result) => result.text === text.trim());
  }

  /** Returns the connections with more viewpoints for exactly this text, or for other spellings of it. */
  #getViewpointRemainder(text: string): readonly SearchRemainder[] {
    return this.#getViewpointResults(text).flatMap((result) => {
      const otherResults = (this.#otherSpellingResults.get(result.connection.id) ?? []).filter(
        (otherResult) => otherResult.text === result.text,
      );
      // Viewpoints that contain several spellings are in several lists, so the numbers can't be added.
      const [remainder] = [result, ...otherResults].flatMap((each, index) => {
        const listRemainder = getListRemainder(each);
        return listRemainder === undefined
          ? []
          : [index === 0 ? listRemainder : { ...listRemainder, count: undefined }];
      });
      return remainder === undefined ? [] : [remainder];
    });
  }

  /**
   * Searches for the text in other letter case. The results contain more than matches, so they are filtered by name.
   */
  async #searchOtherSpellings(
    text: string,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<readonly ViewpointSearchResult[]> {
    const results = getOtherSpellings(text).map((spelling) => ({
      text: text.trim(),
      connection,
      list: this.#createViewpointList(spelling, connection, signal),
    }));
    return this.#tryLoad(results, ({ list }) => list.loadFirst(), signal);
  }

  /**
   * Loads viewpoints for other spellings, one after the other. A failure is only logged: the results for the text as
   * typed remain valid.
   * @returns the results that were loaded
   */
  async #tryLoad(
    results: readonly ViewpointSearchResult[],
    load: (result: ViewpointSearchResult) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<readonly ViewpointSearchResult[]> {
    const loadedResults: ViewpointSearchResult[] = [];
    for (const result of results) {
      if (signal.aborted) {
        break;
      }
      try {
        await load(result);
        loadedResults.push(result);
      } catch (error) {
        if (!signal.aborted) {
          this.#deps.log.warn('explorer', 'The search for another spelling failed', {
            reason: String(error),
          });
        }
      }
    }
    return loadedResults;
  }

  #createViewpointList(text: string, connection: Connection, signal: AbortSignal): ViewpointList {
    return new ViewpointList(async (offset) => {
      const { client } = await this.#deps.sessions.get(connection.id);
      const query = { search: { text }, offset, limit: viewpointPageSize };
      return (await client.viewpoints.list(query, signal)).value;
    });
  }

  /** Runs a search on each connection; a failure is recorded and does not affect the other connections. */
  async #forEachConnection(
    kind: string,
    connections: readonly Connection[],
    search: (session: Session, connection: Connection) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#pendingCount += 1;
    await Promise.all(
      connections.map(async (connection) => {
        const key = `${kind} ${connection.id}`;
        try {
          await retryOnSessionReplaced(async () =>
            search(await this.#deps.sessions.get(connection.id), connection),
          );
          if (!signal.aborted) {
            this.#failures.delete(key);
          }
        } catch (error) {
          if (!signal.aborted) {
            this.#failures.set(key, { connection, error });
          }
        }
      }),
    );
    this.#pendingCount -= 1;
    this.#onDidChange.fire();
  }
}

const toFindResults = ({
  connection,
  list,
}: Pick<ViewpointSearchResult, 'connection' | 'list'>): readonly FindResult[] =>
  list.loaded.viewpoints.map(({ id, name }) => ({
    connection,
    id,
    name: name ?? id,
    within: [],
    ref: { kind: 'viewpoint', viewpointId: id },
  }));

/**
 * Returns the remaining items of a list, if any. If the server does not report the total, a page that is not full is
 * the last one.
 */
function getListRemainder({ connection, list }: ViewpointSearchResult): SearchRemainder | undefined {
  const { hasMore, total } = list.loaded;
  const count = countLoadedViewpoints(list.loaded);
  const isComplete = !hasMore || (total === undefined && count % viewpointPageSize !== 0);
  return isComplete
    ? undefined
    : { kind: 'viewpoints', connection, count: total === undefined ? undefined : total - count };
}
