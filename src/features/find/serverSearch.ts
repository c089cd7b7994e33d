import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Session } from '../../connections/sessions.ts';
import type { FindDeps } from './deps.ts';
import type { Found } from './found.ts';

/** How many datamodels of one connection one search loads at most; loaded ones are known to the next. */
const mostDatamodels = 40;
/** How many viewpoints one search asks for, of each connection. */
const mostViewpoints = 50;

/** A connection that could not be searched, and why. */
export interface SearchFailure {
  readonly connection: Connection;
  readonly error: unknown;
}

/**
 * Asks the servers for what is not known yet, within bounds: the list of datamodels, those that were not loaded, and
 * for each text the viewpoints that hold it. Ends when it is disposed.
 */
export class ServerSearch implements Disposable {
  readonly #deps: FindDeps;
  readonly #store = new DisposableStore();
  readonly #abort = new AbortController();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** More is known, or a search has ended. */
  readonly onDidChange = this.#onDidChange.event;
  /** The last failure of each kind of search on each connection. */
  readonly #failures = new Map<string, SearchFailure>();
  #viewpoints: readonly Found[] = [];
  #text = '';
  #viewpointSearch = new AbortController();
  #under = 0;

  constructor(deps: FindDeps) {
    this.#deps = deps;
  }

  get isBusy(): boolean {
    return this.#under > 0;
  }

  get failures(): readonly SearchFailure[] {
    return [...new Map([...this.#failures.values()].map((each) => [each.connection.id, each])).values()];
  }

  /** The viewpoints that the servers found for the last text. */
  get viewpoints(): readonly Found[] {
    return this.#viewpoints;
  }

  /** The same where this was the text: a server looks at descriptions, too. */
  viewpointsFor(text: string): readonly Found[] {
    return text.trim() === this.#text ? this.#viewpoints : [];
  }

  /** Loads the datamodels that are not known. */
  async loadDatamodels(): Promise<void> {
    await this.#onEach(
      'datamodels',
      async ({ catalog }) => {
        const unknown = (await catalog.datamodels()).filter(
          ({ oid }) => !catalog.knownDatamodel(oid)?.datasets,
        );
        for (const { oid } of unknown.slice(0, mostDatamodels)) {
          if (this.#abort.signal.aborted) {
            return;
          }
          await catalog.datamodel(oid);
          this.#onDidChange.fire();
        }
      },
      this.#abort.signal,
    );
  }

  /** Asks for the viewpoints with the text in name or description; a search before it is given up. */
  async searchViewpoints(text: string): Promise<void> {
    this.#viewpointSearch.abort();
    this.#viewpointSearch = new AbortController();
    const { signal } = this.#viewpointSearch;
    this.#viewpoints = [];
    this.#text = text;
    if (text === '') {
      return;
    }
    await this.#onEach(
      'viewpoints',
      async ({ client }, connection) => {
        const { value } = await client.viewpoints.list({ search: { text }, limit: mostViewpoints }, signal);
        const found = value.viewpoints.map(
          ({ id, name }): Found => ({
            connection,
            id,
            name: name ?? id,
            within: [],
            ref: { kind: 'viewpoint', viewpointId: id },
          }),
        );
        if (!signal.aborted) {
          this.#viewpoints = [...this.#viewpoints, ...found];
        }
      },
      signal,
    );
  }

  dispose(): void {
    this.#abort.abort();
    this.#viewpointSearch.abort();
    this.#store.dispose();
  }

  /** One connection that fails is told of, and keeps the others from nothing. */
  async #onEach(
    kind: string,
    search: (session: Session, connection: Connection) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#under += 1;
    await Promise.all(
      this.#deps.connections.all.map(async (connection) => {
        const key = `${kind} ${connection.id}`;
        try {
          await search(await this.#deps.sessions.get(connection.id), connection);
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
    this.#under -= 1;
    this.#onDidChange.fire();
  }
}
