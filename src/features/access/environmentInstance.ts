import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { UserDirectory } from '../../catalog/people/userDirectory.ts';
import type { Connection } from '../../connections/connection.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { RulesSubject } from '../../project/language/languageCalls.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { type InstanceValues, InstanceValuesReader } from './instanceValues.ts';

const t = vscode.l10n.t;

/** The users and groups of the instance, as far as they are known. */
export interface UsersAndGroups {
  readonly directory?: UserDirectory;
  /** Why they are not known. */
  readonly problem?: string;
}

/** How the instance is found, and what is read from it. */
interface EnvironmentInstanceOptions {
  /** Returns the connection to the instance of the project's environment. */
  readonly findConnection: () => Promise<Connection | undefined>;
  /** The datamodel or cube set whose values are read; if absent, only users and groups are read. */
  readonly rulesSubject?: RulesSubject | undefined;
  /**
   * Called when the users and groups, or the values, have been read or discarded. The next part is read once the
   * promise has resolved.
   */
  readonly onChange: () => Promise<void>;
}

/**
 * The users, groups, and values of the instance of a project's environment. They are read again when a session begins
 * or ends; what is known of one instance is never shown for another one.
 */
export class EnvironmentInstance extends DisposableStore {
  readonly #deps: Pick<AccessFeatureDeps, 'sessions' | 'userDirectories' | 'log'>;
  readonly #options: EnvironmentInstanceOptions;
  readonly #valuesReader: InstanceValuesReader | undefined;
  #connectionId: string | undefined;
  #usersAndGroups: UsersAndGroups = {};
  #values: InstanceValues = { indexes: [] };
  #loadCount = 0;
  #latestLoad: Promise<void> | undefined;
  /** Whether one of the loads since the last completed one may open a session: a newer load replaces an earlier one. */
  #mayOpenSession = false;

  constructor(
    deps: Pick<AccessFeatureDeps, 'sessions' | 'userDirectories' | 'log'>,
    options: EnvironmentInstanceOptions,
  ) {
    super();
    this.#deps = deps;
    this.#options = options;
    this.#valuesReader =
      options.rulesSubject === undefined ? undefined : new InstanceValuesReader(deps, options.rulesSubject);
    const handleChange = (connectionId: string): void => {
      if (connectionId === this.#connectionId) {
        void this.load(false);
      }
    };
    this.add(deps.userDirectories.onDidChange(handleChange));
    this.add(deps.sessions.onDidEnd(handleChange));
    // For example after a sign-in.
    this.add(deps.sessions.onDidOpen(handleChange));
  }

  get usersAndGroups(): UsersAndGroups {
    return this.#usersAndGroups;
  }

  get values(): InstanceValues {
    return this.#values;
  }

  /**
   * Reads the users and groups, unless they are cached, and the values. If another load begins in the meantime, waits
   * for it, and uses only its result.
   * @param mayOpenSession whether a session may be opened, though not one that starts the sandbox
   */
  async load(mayOpenSession: boolean): Promise<void> {
    this.#latestLoad = this.#load(mayOpenSession);
    let load: Promise<void> | undefined;
    do {
      load = this.#latestLoad;
      await load;
    } while (load !== this.#latestLoad);
  }

  /** Loads again if the environment now has another instance. */
  async reloadIfInstanceChanged(): Promise<void> {
    const connection = await this.#options.findConnection();
    if (connection?.id !== this.#connectionId) {
      await this.load(true);
    }
  }

  /** Loads again, without the cached users and groups. */
  async refresh(): Promise<void> {
    if (this.#connectionId !== undefined) {
      this.#deps.userDirectories.refresh(this.#connectionId);
    }
    await this.load(true);
  }

  async #load(mayOpenSession: boolean): Promise<void> {
    this.#loadCount += 1;
    const loadId = this.#loadCount;
    const isLatest = (): boolean => loadId === this.#loadCount && !this.isDisposed;
    this.#mayOpenSession ||= mayOpenSession;
    const { findConnection, onChange } = this.#options;
    const connection = await findConnection();
    if (!isLatest()) {
      return;
    }
    if (connection?.id !== this.#connectionId) {
      const wasKnown = this.#connectionId !== undefined;
      this.#connectionId = connection?.id;
      [this.#usersAndGroups, this.#values] = [{}, { indexes: [] }];
      if (wasKnown) {
        await onChange();
      }
    }
    const usersAndGroups = await this.#readUsersAndGroups(connection, this.#mayOpenSession);
    if (!isLatest()) {
      return;
    }
    this.#usersAndGroups = usersAndGroups;
    await onChange();
    const values = await this.#valuesReader?.read(connection, this.#mayOpenSession);
    if (!isLatest()) {
      return;
    }
    this.#mayOpenSession = false;
    if (values !== undefined) {
      this.#values = values;
      await onChange();
    }
  }

  async #readUsersAndGroups(
    connection: Connection | undefined,
    opensSession: boolean,
  ): Promise<UsersAndGroups> {
    const { sessions, userDirectories, log } = this.#deps;
    if (connection === undefined) {
      return {};
    }
    const { id, name } = connection;
    try {
      const session = opensSession ? await sessions.getWithoutStartingSandbox(id) : sessions.peek(id);
      return session === undefined ? {} : { directory: await userDirectories.get(id) };
    } catch (error) {
      log.warn('access', 'The users and groups could not be read', { reason: String(error) });
      return { problem: t("Can't read the users and groups of {0}. {1}", name, getUserMessage(error)) };
    }
  }
}
