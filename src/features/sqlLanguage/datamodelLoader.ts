import { retryOnSessionReplaced } from '../../client/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import { type ModelExpression, getModelExpressions } from '../../catalog/modelExpressions.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { SandboxStoppedError } from '../../sandbox/host/sandboxService.ts';
import { type Catalog, withInferredColumns } from '../../sql/language.ts';

/** The IDs of a datamodel and its connection. */
export interface DatamodelIdentity {
  readonly connectionId: string;
  readonly datamodelId: string;
}

/** A loaded datamodel, with the names and expressions that SQL features need. */
export interface LoadedDatamodel extends DatamodelIdentity {
  readonly datamodel: Datamodel;
  readonly catalog: Catalog;
  readonly expressions: readonly ModelExpression[];
}

/**
 * The time after which a datamodel that failed to load is requested again, unless the user retries earlier, in
 * milliseconds.
 */
const retryDelayMs = 30_000;

/** Loads the datamodels of open documents, and infers the columns of their custom tables. */
export class DatamodelLoader implements Disposable {
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #loadedDatamodels = new WeakMap<NamedDatamodel, LoadedDatamodel>();
  readonly #failures = new Map<string, { readonly error: unknown; readonly retryTime: number }>();
  /** The datamodels that were requested since they last changed, by key. */
  readonly #requestedIds = new Map<string, DatamodelIdentity>();
  /** The IDs of connections whose sandbox was not running at the last request. */
  readonly #stoppedSandboxIds = new Set<string>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Fires when a loaded datamodel is out of date, or when loading failed or may succeed again. */
  readonly onDidChange = this.#onDidChange.event;

  constructor({ sessions, clock, log }: { sessions: Sessions; clock: Clock; log: Log }) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#log = log;
    this.#store.add(sessions.onDidOpen((connectionId) => this.#handleSessionOpen(connectionId)));
    this.#store.add(
      sessions.onDidChangeCatalog(({ connectionId, change }) =>
        this.#invalidate(
          (id) =>
            id.connectionId === connectionId &&
            (change.kind === 'all' ||
              change.kind === 'datamodels' ||
              (change.kind === 'datamodel' && change.datamodelId === id.datamodelId)),
        ),
      ),
    );
    this.#store.add(
      sessions.onDidEnd((connectionId) => this.#invalidate((id) => id.connectionId === connectionId)),
    );
  }

  /** Loads a datamodel; `undefined` if it cannot be loaded, for the reason that {@link getFailure} returns. */
  async load(id: DatamodelIdentity): Promise<LoadedDatamodel | undefined> {
    const key = getDatamodelKey(id);
    if ((await this.#isSandboxStopped(id)) || this.#store.isDisposed) {
      return undefined;
    }
    const failure = this.#failures.get(key);
    if (failure !== undefined && this.#clock.now() < failure.retryTime) {
      return undefined;
    }
    try {
      const loadedDatamodel = await this.#load(id);
      if (failure !== undefined && this.#failures.delete(key)) {
        this.#onDidChange.fire();
      }
      return loadedDatamodel;
    } catch (error) {
      if (this.#failures.get(key) === failure) {
        this.#log.warn('sql', 'A datamodel could not be loaded', { reason: String(error) });
        this.#failures.set(key, { error, retryTime: this.#clock.now() + retryDelayMs });
        this.#onDidChange.fire();
      }
      return undefined;
    }
  }

  /** Returns the error of the last request for a datamodel; `undefined` if it succeeded. */
  getFailure(id: DatamodelIdentity): unknown {
    return this.#stoppedSandboxIds.has(id.connectionId)
      ? new SandboxStoppedError('stopped')
      : this.#failures.get(getDatamodelKey(id))?.error;
  }

  /** Makes the next {@link load} send a request, even right after a failure. */
  retry(id: DatamodelIdentity): void {
    this.#failures.delete(getDatamodelKey(id));
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * Returns whether a datamodel is in a sandbox that is not running, and remembers such a sandbox. Opening a file does
   * not start it.
   */
  async #isSandboxStopped({ connectionId }: DatamodelIdentity): Promise<boolean> {
    try {
      if ((await this.#sessions.getWithoutStartingSandbox(connectionId)) === undefined) {
        this.#stoppedSandboxIds.add(connectionId);
        return true;
      }
    } catch {
      // The load that follows fails with the same error and reports it.
    }
    this.#stoppedSandboxIds.delete(connectionId);
    return false;
  }

  #handleSessionOpen(connectionId: string): void {
    if (this.#stoppedSandboxIds.delete(connectionId)) {
      this.#onDidChange.fire();
    }
  }

  async #load(id: DatamodelIdentity): Promise<LoadedDatamodel> {
    this.#requestedIds.set(getDatamodelKey(id), id);
    const namedDatamodel = await retryOnSessionReplaced(async () => {
      const { catalog } = await this.#sessions.get(id.connectionId);
      return catalog.namedDatamodels.get(id.datamodelId);
    });
    const loadedDatamodel =
      this.#loadedDatamodels.get(namedDatamodel) ?? toLoadedDatamodel(id, namedDatamodel);
    this.#loadedDatamodels.set(namedDatamodel, loadedDatamodel);
    return loadedDatamodel;
  }

  #invalidate(matches: (id: DatamodelIdentity) => boolean): void {
    const invalidatedEntries = [...this.#requestedIds].filter(([, id]) => matches(id));
    for (const [key] of invalidatedEntries) {
      this.#requestedIds.delete(key);
      this.#failures.delete(key);
    }
    if (invalidatedEntries.length > 0) {
      this.#onDidChange.fire();
    }
  }
}

function toLoadedDatamodel(id: DatamodelIdentity, { datamodel, catalog }: NamedDatamodel): LoadedDatamodel {
  const expressions = getModelExpressions(datamodel);
  const tableExpressions = expressions.filter(({ resource }) => resource.kind === 'tableExpression');
  const queriesByTable = new Map(tableExpressions.map(({ table, text }) => [table, text]));
  return { ...id, datamodel, expressions, catalog: withInferredColumns(catalog, queriesByTable) };
}

const getDatamodelKey = ({ connectionId, datamodelId }: DatamodelIdentity): string =>
  JSON.stringify([connectionId, datamodelId]);
