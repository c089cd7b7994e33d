import type { PlatformClient } from '../client/platformClient.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type {
  UserDirectory,
  ImportedMember,
  LoadedDirectorySources,
} from '../catalog/people/userDirectory.ts';
import type { UserAndGroupLists } from './readUsersAndGroups.ts';
import type { MembershipStore } from './membershipStore.ts';
import type { Memberships } from '../security/membership/memberships.ts';
import type { Sessions } from './sessions.ts';

/** The lists loaded from an instance, and the imported list. */
interface LoadedLists extends UserAndGroupLists {
  readonly importedMembers: readonly ImportedMember[];
}

/**
 * The users and groups of each instance and their memberships: what the instance lists, what the user imported, and
 * what rules and viewpoints reference. An instance that refuses its lists (403, 404, 405) does not offer them to this
 * token: they are not requested again until its session ends, its catalog is refreshed, or memberships are imported.
 */
export class UserDirectories implements Disposable {
  readonly #sessions: Pick<Sessions, 'get'>;
  readonly #memberships: Pick<MembershipStore, 'read'>;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #lists = new PromiseCache<LoadedLists>();
  readonly #onDidChange = this.#store.add(new Emitter<string>());
  /** Fires with the ID of a connection when its loaded users and groups are out of date. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: {
    readonly sessions: Pick<Sessions, 'get' | 'onDidEnd' | 'onDidChangeCatalog'>;
    readonly memberships: Pick<MembershipStore, 'read' | 'onDidChange'>;
    readonly log: Log;
  }) {
    this.#sessions = deps.sessions;
    this.#memberships = deps.memberships;
    this.#log = deps.log;
    this.#store.add(deps.sessions.onDidEnd((connectionId) => this.#forget(connectionId)));
    this.#store.add(
      deps.sessions.onDidChangeCatalog(({ connectionId, change }) => {
        if (change.kind === 'all') {
          this.#forget(connectionId);
        }
      }),
    );
    this.#store.add(deps.memberships.onDidChange((connectionId) => this.#forgetAllTenants(connectionId)));
  }

  /**
   * The users and groups of a connection. A list that fails leaves its part unknown: {@link getProblem} returns the
   * reason.
   * @throws what opening the session throws
   */
  async get(connectionId: string): Promise<UserDirectory> {
    const { client, catalog } = await this.#sessions.get(connectionId);
    const [{ createUserDirectory }, lists] = await Promise.all([
      import('./createUserDirectory.ts'),
      this.#lists.get(connectionId, () => this.#load(connectionId, client)),
    ]);
    return createUserDirectory(lists, catalog.knownResources);
  }

  /**
   * Loads what is known about the groups of the users of a connection.
   * @throws what opening the session throws
   */
  async getMemberships(connectionId: string): Promise<Memberships> {
    const [{ createMemberships }, directory] = await Promise.all([
      import('./createMemberships.ts'),
      this.get(connectionId),
    ]);
    return createMemberships(directory);
  }

  /**
   * The loaded users and groups of a connection; `undefined` if they were not loaded. `peekUserDirectory` also has
   * those that documents reference.
   */
  peek(connectionId: string): LoadedDirectorySources | undefined {
    return this.#lists.peek(connectionId);
  }

  /** Why the users or groups could not be read the last time, although the instance offers them. */
  getProblem(connectionId: string): unknown {
    return this.#lists.peek(connectionId)?.problem;
  }

  /** Makes the next {@link get} request the users and groups of a connection again. */
  refresh(connectionId: string): void {
    this.#forget(connectionId);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Discards the lists of a connection and of all its tenants, since they share the list that the user imported. */
  #forgetAllTenants(connectionId: string): void {
    const baseId = getBaseConnectionId(connectionId);
    const loadedIds = this.#lists.keys.filter((id) => getBaseConnectionId(id) === baseId);
    for (const id of new Set([connectionId, ...loadedIds])) {
      this.#forget(id);
    }
  }

  #forget(connectionId: string): void {
    this.#lists.forget(connectionId);
    this.#onDidChange.fire(connectionId);
  }

  /** The code that reads users and groups is loaded with the first request, like the code of the client. */
  async #load(connectionId: string, client: PlatformClient): Promise<LoadedLists> {
    const { readUsersAndGroups } = await import('./readUsersAndGroups.ts');
    const [lists, importedMembers] = await Promise.all([
      readUsersAndGroups(client, this.#log),
      this.#memberships.read(connectionId),
    ]);
    return { ...lists, importedMembers };
  }
}
