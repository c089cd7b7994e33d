import { type FSWatcher, watch } from 'node:fs';
import { rmSync, statSync } from 'node:fs';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { privateFileMode, ensurePrivateFolder } from '../base/storage/privateFiles.ts';
import type { SharedFolder } from './sharedFolder.ts';

/** A shared folder on the disk of this machine. */
export class DiskSharedFolder implements SharedFolder {
  readonly #path: string;
  readonly #log: Log;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #watcher: FSWatcher | undefined;
  /** Distinguishes the temporary files of this window from those of others. */
  readonly #windowId: string;
  /** The versions of the files that this window has written or removed. No event is fired for these. */
  readonly #ownVersions = new Map<string, string>();
  /** Never rejects. */
  #lastWrite: Promise<void> = Promise.resolve();

  /** Opens the folder; creates it if needed. */
  static async open(path: string, windowId: string, log: Log): Promise<DiskSharedFolder> {
    await ensurePrivateFolder(path);
    return new DiskSharedFolder(path, windowId, log);
  }

  private constructor(path: string, windowId: string, log: Log) {
    this.#path = path;
    this.#windowId = windowId;
    this.#log = log;
    this.#watcher = this.#watch();
  }

  async readAll(): Promise<ReadonlyMap<string, string>> {
    const names = (await readdir(this.#path)).filter((name) => name.endsWith('.json'));
    const texts = await Promise.all(names.map((name) => this.#read(name)));
    return new Map(
      names.flatMap((name, index) => {
        const text = texts[index];
        return text === undefined ? [] : [[name, text]];
      }),
    );
  }

  /** Writes are serialized, so that the last text for a file wins. */
  async write(name: string, text: string): Promise<void> {
    const currentWrite = this.#lastWrite.then(() => this.#replace(name, text));
    this.#lastWrite = currentWrite.catch(() => undefined);
    await currentWrite;
  }

  async #replace(name: string, text: string): Promise<void> {
    const temporaryPath = join(this.#path, `${name}.${this.#windowId}.draft`);
    await writeFile(temporaryPath, text, { mode: privateFileMode });
    // Set before the file is replaced, since the event may fire immediately.
    this.#ownVersions.set(name, readVersion(temporaryPath));
    try {
      await rename(temporaryPath, join(this.#path, name));
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
  }

  remove(name: string): void {
    this.#ownVersions.set(name, missingVersion);
    rmSync(join(this.#path, name), { force: true });
  }

  dispose(): void {
    this.#watcher?.close();
    this.#onDidChange.dispose();
  }

  /** Returns `undefined` for an unreadable file, such as one that was deleted after it was listed. */
  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#path, name), 'utf8');
    } catch (error) {
      this.#log.debug('builds', 'A shared file could not be read', { name, reason: String(error) });
      return undefined;
    }
  }

  /** Returns `undefined` if files cannot be watched; windows then read each other's files at every heartbeat. */
  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#path, { persistent: false }, (_event, name) => {
        if (name?.endsWith('.json') === true) {
          this.#fireIfChanged(name);
        }
      });
      watcher.on('error', (error) => this.#logWatchError(error));
      return watcher;
    } catch (error) {
      this.#logWatchError(error);
      return undefined;
    }
  }

  /** Compares versions, because one event may be about several changes, of this window and of others. */
  #fireIfChanged(name: string): void {
    if (readVersion(join(this.#path, name)) !== this.#ownVersions.get(name)) {
      this.#onDidChange.fire();
    }
  }

  #logWatchError(error: unknown): void {
    this.#log.warn('builds', 'The folder of the builds cannot be watched', { reason: String(error) });
  }
}

const missingVersion = 'missing';

/** Never throws: a file that cannot be read counts as missing. */
function readVersion(path: string): string {
  try {
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs}`;
  } catch {
    return missingVersion;
  }
}
