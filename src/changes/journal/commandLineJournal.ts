import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { FolderWatcher } from '../../base/folderWatcher.ts';
import { getAddressKey } from '../../base/addressKey.ts';
import { isSameAddress } from '../../base/sameAddress.ts';
import type { Log } from '../../base/log.ts';
import { isWritableByOthers } from '../../base/storage/privateFiles.ts';
import { getTenantConnectionId } from '../../catalog/tenantConnection.ts';
import type { HistoryEntry } from './entry.ts';
import { JournalFolder, journalSuffix } from './journalFolder.ts';

/** The address and tenant of an instance. */
interface InstanceAddress {
  readonly url: string;
  readonly tenantId?: string | undefined;
}

/** The properties of the system that determine where the files of a user are. */
interface UserEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * Returns the connection ID that an instance has in the journals of the command line. Only viewpoints are known to
 * depend on the tenant (rest-api.md, "Viewpoint API"), so all tenants of an address share its reservation and its
 * folder of journals; each change is continued only with the tenant that it was made with.
 * @param instance its address as `parseAddress` returns it
 */
export function getCommandLineConnectionId({ url, tenantId = '' }: InstanceAddress): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([getAddressKey(url), '']))
    .digest('hex');
  const id = `cli:${hash.slice(0, 32)}`;
  return tenantId === '' ? id : getTenantConnectionId(id, tenantId);
}

/** Returns the folder where the command line keeps its state by default. */
export function getDefaultStateFolder(
  { env, platform, home }: UserEnvironment = {
    env: process.env,
    platform: process.platform,
    home: homedir(),
  },
): string {
  const localAppData = env['LOCALAPPDATA'];
  const base =
    platform === 'win32' && localAppData
      ? localAppData
      : env['XDG_STATE_HOME'] || join(home, '.local', 'state');
  return join(base, 'datamodel-studio');
}

/** Returns the folder of the journals in the state folder of the command line. */
export const getJournalFolder = (stateFolder: string): string => join(stateFolder, 'history');

/**
 * Returns whether other users can write to the journals of the command line: then they must not be trusted, since what
 * is sent later is computed from them.
 */
export async function isSharedStateFolder(stateFolder: string): Promise<boolean> {
  return (await isWritableByOthers(stateFolder)) || isWritableByOthers(getJournalFolder(stateFolder));
}

/**
 * Returns the address that a change was made at if that may be another server than the one at `url`. For example, all
 * tunnels on this machine share one folder of journals. `undefined` if it's the same server, or unknown.
 * @param original the change itself, or the one that it undoes: the editor records no address with an undo
 */
export function findOtherAddress(
  { environment }: Pick<HistoryEntry, 'environment'>,
  original: Pick<HistoryEntry, 'environment'> | undefined,
  url: string,
): string | undefined {
  const address = environment?.address ?? original?.environment?.address;
  return address === undefined || isSameAddress(address, url) ? undefined : address;
}

/** The location of the journals that the command line has written for an instance. */
export interface InstanceJournals {
  /** The connection ID that the instance has in these journals. */
  readonly connectionId: string;
  readonly path: string;
}

/** Provides the changes that the command line has made on the instances of connections. */
export interface CommandLineHistory {
  /** Never fails. */
  readonly readEntries: (connectionId: string) => Promise<readonly HistoryEntry[]>;
  /** Returns where the journals of a connection's instance are; `undefined` if they aren't used. */
  readonly locate: (connectionId: string) => InstanceJournals | undefined;
  /** Calls a function whenever the command line begins, continues, or ends a change of a connection's instance. */
  readonly watch: (connectionId: string, onChange: () => void) => Disposable;
}

/**
 * Creates the access to the changes that the command line has made.
 * @param findInstance returns the instance of a connection; `undefined` if its journals must not be used
 */
export const createCommandLineHistory = (
  journal: CommandLineJournal,
  findInstance: (connectionId: string) => (InstanceAddress & { readonly id: string }) | undefined,
): CommandLineHistory => {
  const locate = (connectionId: string): InstanceJournals | undefined => {
    const instance = findInstance(connectionId);
    return instance === undefined ? undefined : journal.locate(instance);
  };
  return {
    readEntries: async (connectionId) => {
      const instance = findInstance(connectionId);
      return instance === undefined ? [] : journal.readEntries(instance, instance.id);
    },
    locate,
    watch: (connectionId, onChange) => {
      const journals = locate(connectionId);
      return journals === undefined ? { dispose() {} } : watchJournals(journals.path, onChange);
    },
  };
};

/** Watches the journals in a folder, which exists once the first one is written. */
function watchJournals(folder: string, onChange: () => void): Disposable {
  const isJournal = (path: string): boolean => dirname(path) === folder && path.endsWith(journalSuffix);
  const root = findExistingFolder(folder);
  return new FolderWatcher(
    {
      root,
      includes: (relativePath) => {
        const path = join(root, relativePath);
        return isJournal(path) || folder === path || folder.startsWith(`${path}${sep}`);
      },
    },
    (inner) => {
      if (isJournal(join(root, inner))) {
        onChange();
      }
    },
  );
}

/** Returns a folder, or the innermost of its parents that exists. */
function findExistingFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(path) ? path : findExistingFolder(parent);
}

/**
 * The journals of the command line, for the history of the editor. The editor adds entries only for the undo of one of
 * these changes: then every connection to the instance shows the change as undone, and both are kept equally long.
 * Existing entries are only read: the command line may be writing at the same time, and only the command line finishes
 * or rolls back its own changes.
 */
export class CommandLineJournal {
  readonly #stateFolder: string;
  readonly #journals: JournalFolder;
  readonly #log: Log;

  constructor(stateFolder: string, log: Log) {
    this.#stateFolder = stateFolder;
    this.#journals = new JournalFolder(getJournalFolder(stateFolder), log);
    this.#log = log;
  }

  /** Returns where the journals of an instance are. */
  locate(instance: InstanceAddress): InstanceJournals {
    const connectionId = getCommandLineConnectionId(instance);
    return { connectionId, path: this.#journals.getPath(connectionId) };
  }

  /**
   * Returns the entries of an instance as those of a connection to it, newest first; none if they can't be read or
   * trusted. Those of other tenants keep their connection ID and are marked: an undo would be sent for the tenant of
   * the connection. Never fails: the history of the editor doesn't depend on these files.
   */
  async readEntries(instance: InstanceAddress, connectionId: string): Promise<readonly HistoryEntry[]> {
    const id = getCommandLineConnectionId(instance);
    const entries: HistoryEntry[] = [];
    try {
      const names = (await this.#journals.listNames(id)).toReversed();
      if (names.length > 0 && (await isSharedStateFolder(this.#stateFolder))) {
        this.#log.warn('writes', 'Other users can write to the journals of the command line');
        return [];
      }
      for (const name of names) {
        const entry = await this.#readEntry(id, name);
        if (entry !== undefined) {
          const isSameTenant = entry.operation.connectionId === id;
          const otherAddress = findOtherAddress(entry, undefined, instance.url);
          entries.push({
            ...entry,
            ...(otherAddress === undefined ? {} : { otherAddress }),
            // Only the command line records who has made a change.
            ...(entry.actor === undefined ? {} : { source: 'command-line' }),
            ...(isSameTenant
              ? { operation: { ...entry.operation, connectionId } }
              : { hasOtherTenant: true }),
          });
        }
      }
    } catch (error) {
      this.#log.warn('writes', 'The journals of the command line cannot be read', { reason: String(error) });
    }
    return entries;
  }

  async #readEntry(id: string, name: string): Promise<HistoryEntry | undefined> {
    try {
      return await this.#journals.readEntry(id, name);
    } catch (error) {
      this.#log.warn('writes', 'A journal of the command line cannot be read', {
        name,
        reason: String(error),
      });
      return undefined;
    }
  }
}
