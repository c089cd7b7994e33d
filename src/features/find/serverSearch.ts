import { evenIfRenewed } from '../../api/evenIfRenewed.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { readableOf } from '../../contract/readable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Session } from '../../connections/sessions.ts';
import type { DatamodelIndex, IndexRun } from './datamodelIndex.ts';
import type { FindDeps } from './deps.ts';
import type { Found } from './found.ts';

/** How many viewpoints one search asks for, of each connection. */
const mostViewpoints = 50;

/** A connection, or one datamodel of it, that could not be searched, and why. */
export interface SearchFailure {
  readonly connection: Connection;
  /** The title of the datamodel; absent where it is the connection as a whole. */
  readonly datamodel?: string;
  readonly error: unknown;
}

/** Datamodels of a connection that were not looked through yet. */
export interface SearchRest {
  readonly connection: Connection;
  readonly count: number;
}

/** The viewpoints that a server found for a text. */
interface Answered {
  readonly text: string;
  readonly viewpoints: readonly Found[];
}

/**
 * Asks the servers for what is not known yet, within bounds: the list of datamodels, those that were not loaded, and
 * for each text the viewpoints that hold it. Ends when it is disposed.
 */
export class ServerSearch implements Disposable {
  readonly #deps: FindDeps;
  readonly #index: DatamodelIndex;
  readonly #store = new DisposableStore();
  readonly #abort = new AbortController();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** More is known, or a search has ended. */
  readonly onDidChange = this.#onDidChange.event;
  /** The last failure of each kind of search on each connection. */
  readonly #failures = new Map<string, SearchFailure>();
  /** The last failures at single datamodels, and what is left to look through, of each connection. */
  readonly #runs = new Map<string, { readonly connection: Connection; readonly run: IndexRun }>();
  /** What each connection answered last: it stands until it answers again, lest the list is empty meanwhile. */
  readonly #answered = new Map<string, Answered>();
  #viewpointSearch = new AbortController();
  #under = 0;

  constructor(deps: FindDeps, index: DatamodelIndex) {
    this.#deps = deps;
    this.#index = index;
  }

  get isBusy(): boolean {
    return this.#under > 0;
  }

  get failures(): readonly SearchFailure[] {
    const whole = new Map([...this.#failures.values()].map((each) => [each.connection.id, each]));
    const ofOne = [...this.#runs.values()].flatMap(({ connection, run }) =>
      run.failed.map(({ title, error }) => ({ connection, datamodel: title, error })),
    );
    return [...whole.values(), ...ofOne];
  }

  /** Where there are more datamodels than one search looks through. */
  get rest(): readonly SearchRest[] {
    return [...this.#runs.values()].flatMap(({ connection, run: { left } }) =>
      left === 0 ? [] : [{ connection, count: left }],
    );
  }

  /** The viewpoints that the servers found last. */
  get viewpoints(): readonly Found[] {
    return [...this.#answered.values()].flatMap(({ viewpoints }) => viewpoints);
  }

  /** Those that were found for this very text: a server looks at descriptions, too. */
  viewpointsFor(text: string): readonly Found[] {
    return [...this.#answered.values()].flatMap((each) => (each.text === text.trim() ? each.viewpoints : []));
  }

  /** Loads the datamodels that are not known; see {@link DatamodelIndex}. */
  async loadDatamodels(connections = this.#deps.connections.all): Promise<void> {
    const { signal } = this.#abort;
    await this.#onEach(
      'datamodels',
      connections,
      async ({ catalog }, connection) => {
        const run = await this.#index.load(catalog, signal, () => this.#onDidChange.fire());
        this.#runs.set(connection.id, { connection, run });
      },
      signal,
    );
  }

  /** Asks for the viewpoints with the text in name or description; a search before it is given up. */
  async searchViewpoints(text: string): Promise<void> {
    this.#viewpointSearch.abort();
    this.#viewpointSearch = new AbortController();
    const { signal } = this.#viewpointSearch;
    if (text === '') {
      this.#answered.clear();
      return;
    }
    await this.#onEach(
      'viewpoints',
      this.#deps.connections.all,
      async ({ client }, connection) => {
        const { value, failure } = await readableOf(
          client.viewpoints
            .list({ search: { text }, limit: mostViewpoints }, signal)
            .then((all) => all.value),
        );
        const viewpoints = value.viewpoints.map(
          ({ id, name }): Found => ({
            connection,
            id,
            name: name ?? id,
            within: [],
            ref: { kind: 'viewpoint', viewpointId: id },
          }),
        );
        if (!signal.aborted) {
          this.#answered.set(connection.id, { text, viewpoints });
          this.#onDidChange.fire();
        }
        if (failure !== undefined) {
          throw failure;
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
    connections: readonly Connection[],
    search: (session: Session, connection: Connection) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#under += 1;
    await Promise.all(
      connections.map(async (connection) => {
        const key = `${kind} ${connection.id}`;
        try {
          await evenIfRenewed(async () => search(await this.#deps.sessions.get(connection.id), connection));
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
