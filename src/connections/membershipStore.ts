import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { ImportedMember } from '../catalog/people/userDirectory.ts';

/**
 * The membership lists that the user imported: a file for each saved connection in user-level storage, which all of its
 * tenants share.
 */
export class MembershipStore implements Disposable {
  readonly #folder: string;
  readonly #log: Log;
  readonly #onDidChange = new Emitter<string>();
  /**
   * Fires when a list was imported or cleared, with the ID of its connection or of one of the tenants that share it.
   */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: { readonly folder: string; readonly log: Log }) {
    this.#folder = deps.folder;
    this.#log = deps.log;
  }

  /** The list of a connection; empty if none was imported, and if it cannot be read, which is logged. */
  async read(connectionId: string): Promise<readonly ImportedMember[]> {
    try {
      const text = await readFile(this.#getPath(connectionId), 'utf8');
      const { membershipListSchema } = await import('./membershipListSchema.ts');
      return membershipListSchema.parse(JSON.parse(text));
    } catch (error) {
      if (!isFileNotFound(error)) {
        this.#log.warn('connections', 'A membership list could not be read', { reason: getErrorName(error) });
      }
      return [];
    }
  }

  /** @throws Error of the file system; the list then remains unchanged */
  async write(connectionId: string, members: readonly ImportedMember[]): Promise<void> {
    const path = this.#getPath(connectionId);
    // Loaded with the first import, since no window needs it to start.
    const { privateFileMode, ensurePrivateFolder } = await import('../base/storage/privateFiles.ts');
    await ensurePrivateFolder(this.#folder);
    await writeFile(`${path}.new`, JSON.stringify(members), { mode: privateFileMode });
    await rename(`${path}.new`, path);
    this.#onDidChange.fire(connectionId);
  }

  /** @throws Error of the file system */
  async clear(connectionId: string): Promise<void> {
    await rm(this.#getPath(connectionId), { force: true });
    this.#onDidChange.fire(connectionId);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #getPath(connectionId: string): string {
    return join(this.#folder, `${encodeURIComponent(getBaseConnectionId(connectionId))}.json`);
  }
}

const isFileNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Only the name, without the message: a parser quotes the contents of the file. */
const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
