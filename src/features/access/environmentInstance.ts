import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Directory } from '../../catalog/people/directory.ts';
import type { Connection } from '../../connections/connection.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { RulesSubject } from '../../project/language/languageMessages.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { type InstanceValues, InstanceValuesReader } from './instanceValues.ts';

const t = vscode.l10n.t;

/** The people of the instance, as far as they are known. */
export interface People {
  readonly directory?: Directory;
  /** Why they are not known. */
  readonly problem?: string;
}

/** How the instance is found, and what is read of it. */
interface InstanceRequest {
  /** Returns the connection to the instance of the project's environment. */
  readonly findConnection: () => Promise<Connection | undefined>;
  /** The rules whose values are read; without them, no values are. */
  readonly valuesOf?: RulesSubject | undefined;
  /** Called when something else is known. The next part is read after that. */
  readonly onChange: () => Promise<void>;
}

/**
 * What is known of the instance of a project's environment: its people, and its values. It follows the environment and the
 * sessions; what is known of one instance is never shown for another one.
 */
export class EnvironmentInstance extends DisposableStore {
  readonly #deps: Pick<AccessFeatureDeps, 'sessions' | 'directories' | 'log'>;
  readonly #request: InstanceRequest;
  readonly #valuesReader: InstanceValuesReader | undefined;
  #connectionId: string | undefined;
  #people: People = {};
  #values: InstanceValues = { indexes: [] };
  #loadCount = 0;
  #latestLoad: Promise<void> | undefined;
  /** Whether a load that isn't complete may open a session. */
  #opensSession = false;

  constructor(deps: Pick<AccessFeatureDeps, 'sessions' | 'directories' | 'log'>, request: InstanceRequest) {
    super();
    this.#deps = deps;
    this.#request = request;
    this.#valuesReader =
      request.valuesOf === undefined ? undefined : new InstanceValuesReader(deps, request.valuesOf);
    const handleChange = (connectionId: string): void => {
      if (connectionId === this.#connectionId) {
        void this.load(false);
      }
    };
    this.add(deps.directories.onDidChange(handleChange));
    this.add(deps.sessions.onDidEnd(handleChange));
    // For example after a sign-in.
    this.add(deps.sessions.onDidOpen(handleChange));
  }

  get people(): People {
    return this.#people;
  }

  get values(): InstanceValues {
    return this.#values;
  }

  /**
   * Reads everything again. If another load begins in the meantime, that one counts, and is waited for.
   * @param opensSession whether a session may be opened, though not one that starts the sandbox
   */
  async load(opensSession: boolean): Promise<void> {
    this.#latestLoad = this.#load(opensSession);
    let load: Promise<void> | undefined;
    do {
      load = this.#latestLoad;
      await load;
    } while (load !== this.#latestLoad);
  }

  /** Reads everything of the instance if it's another one now. */
  async follow(): Promise<void> {
    const connection = await this.#request.findConnection();
    if (connection?.id !== this.#connectionId) {
      await this.load(true);
    }
  }

  /** Reads everything again, also the users and groups that are known already. */
  async refresh(): Promise<void> {
    if (this.#connectionId !== undefined) {
      this.#deps.directories.refresh(this.#connectionId);
    }
    await this.load(true);
  }

  async #load(mayOpenSession: boolean): Promise<void> {
    this.#loadCount += 1;
    const loadId = this.#loadCount;
    const isLatest = (): boolean => loadId === this.#loadCount && !this.isDisposed;
    this.#opensSession ||= mayOpenSession;
    const { findConnection, onChange } = this.#request;
    const connection = await findConnection();
    if (!isLatest()) {
      return;
    }
    if (connection?.id !== this.#connectionId) {
      const wasKnown = this.#connectionId !== undefined;
      this.#connectionId = connection?.id;
      [this.#people, this.#values] = [{}, { indexes: [] }];
      if (wasKnown) {
        await onChange();
      }
    }
    const people = await this.#readPeople(connection, this.#opensSession);
    if (!isLatest()) {
      return;
    }
    this.#people = people;
    await onChange();
    const values = await this.#valuesReader?.read(connection, this.#opensSession);
    if (!isLatest()) {
      return;
    }
    this.#opensSession = false;
    if (values !== undefined) {
      this.#values = values;
      await onChange();
    }
  }

  async #readPeople(connection: Connection | undefined, opensSession: boolean): Promise<People> {
    const { sessions, directories, log } = this.#deps;
    if (connection === undefined) {
      return {};
    }
    const { id, name } = connection;
    try {
      const session = opensSession ? await sessions.getWithoutStartingSandbox(id) : sessions.peek(id);
      return session === undefined ? {} : { directory: await directories.get(id) };
    } catch (error) {
      log.warn('access', 'The users and groups could not be read', { reason: String(error) });
      return { problem: t("Can't read the users and groups of {0}. {1}", name, getUserMessage(error)) };
    }
  }
}
