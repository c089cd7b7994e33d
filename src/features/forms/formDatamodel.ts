import { retryOnSessionReplaced } from '../../client/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { FormDatamodelState } from '../../webviews/protocol/documentForm.ts';
import type { Catalog } from '../../sql/catalog.ts';
import type { NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import type { FormsDeps } from './deps.ts';
import type { FormNameSource } from './formNameSource.ts';

/**
 * The datamodel that a document refers to, found by title in the files of its project, or on the connection of the
 * document; for a cube set, the names of all extract datamodels (decisions.md, "Connections"). It is requested again
 * when the title, the current connection or the data on the server changes, when the connection is used again after its
 * session has ended or a request has failed, and on {@link reload}.
 */
export class FormDatamodel implements Disposable {
  readonly #deps: FormsDeps;
  readonly #source: FormNameSource;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #subscriptions: readonly Disposable[];
  #title: string | undefined;
  #model: FormDatamodelState = { state: 'none', title: '' };
  /** The ID of the latest load; the results of earlier ones are ignored. */
  #loadId = 0;
  /** True if the session that the model was read with has ended: the next one may be with another server or user. */
  #isOutdated = false;

  constructor(deps: FormsDeps, source: FormNameSource) {
    this.#deps = deps;
    this.#source = source;
    this.#subscriptions = [
      deps.currentConnection.onDidChange(() => this.reload()),
      source.onDidChange(() => this.reload()),
      deps.sessions.onDidChangeCatalog(({ connectionId, change }) => {
        const isSameConnection = connectionId === this.#source.connectionId;
        if (
          isSameConnection &&
          (change.kind === 'all' || change.kind === 'datamodels' || change.kind === 'datamodel')
        ) {
          this.reload();
        }
      }),
      // Opens no session itself: the user may have signed out.
      deps.sessions.onDidEnd((connectionId) => {
        this.#isOutdated ||= connectionId === this.#source.connectionId;
      }),
      deps.sessions.onDidOpen((connectionId) => {
        if (
          connectionId === this.#source.connectionId &&
          (this.#isOutdated || this.#model.state === 'failed')
        ) {
          this.reload();
        }
      }),
    ];
  }

  /** The datamodel and its state; the same object until the datamodel changes. */
  get model(): FormDatamodelState {
    return this.#model;
  }

  get catalog(): Catalog | undefined {
    return this.#model.state === 'ready'
      ? { complete: this.#model.complete, tables: this.#model.tables }
      : undefined;
  }

  /** Sets the title, and loads the datamodel if the title has changed. */
  setTitle(title: string): void {
    if (title !== this.#title) {
      this.#title = title;
      this.reload();
    }
  }

  /** Loads the datamodel again, for example after a failure. */
  reload(): void {
    this.#isOutdated = false;
    this.#loadId += 1;
    void this.#load(this.#loadId, this.#title ?? '');
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#onDidChange.dispose();
    this.#loadId += 1;
  }

  async #load(loadId: number, title: string): Promise<void> {
    const fileDatamodel = await this.#source.refreshAndFindDatamodel(title);
    if (fileDatamodel !== undefined) {
      this.#set(loadId, toReadyState(title, fileDatamodel.catalog));
      return;
    }
    const { connectionId } = this.#source;
    if (title === '' || connectionId === undefined) {
      this.#set(loadId, { state: 'none', title });
      return;
    }
    if (this.#model.state !== 'ready' || this.#model.title !== title) {
      this.#set(loadId, { state: 'loading', title });
    }
    try {
      const model = await retryOnSessionReplaced(() => this.#read(connectionId, title));
      this.#set(loadId, model);
    } catch (error) {
      this.#deps.log.warn('webviews', 'The datamodel of a form could not be loaded', {
        reason: String(error),
      });
      this.#set(loadId, { state: 'failed', title, message: getUserMessage(error) });
    }
  }

  async #read(connectionId: string, title: string): Promise<FormDatamodelState> {
    const { catalog } = await this.#deps.sessions.get(connectionId);
    if (this.#source.hasServerCubeSetRules) {
      return toReadyState(title, await catalog.namedDatamodels.getForCubeSet());
    }
    const namedDatamodel = await catalog.namedDatamodels.find((entry) => entry.title === title);
    if (namedDatamodel === undefined) {
      return { state: 'none', title };
    }
    return toReadyState(title, namedDatamodel.catalog);
  }

  #set(loadId: number, model: FormDatamodelState): void {
    if (loadId === this.#loadId) {
      this.#model = isSameDatamodelState(model, this.#model) ? this.#model : model;
      this.#onDidChange.fire();
    }
  }
}

/** Returns whether two states have the tables of the same catalog. */
const isSameDatamodelState = (a: FormDatamodelState, b: FormDatamodelState): boolean =>
  a.state === 'ready' &&
  b.state === 'ready' &&
  a.title === b.title &&
  a.complete === b.complete &&
  a.tables === b.tables;

const toReadyState = (
  title: string,
  { complete, tables }: NamedDatamodel['catalog'],
): FormDatamodelState => ({
  state: 'ready',
  title,
  complete,
  tables,
});
