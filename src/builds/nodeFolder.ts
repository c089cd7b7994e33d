import { type FSWatcher, watch } from 'node:fs';
import { rmSync } from 'node:fs';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { privateFileMode, ensurePrivateFolder } from '../base/storage/privateFiles.ts';
import type { SharedFolder } from './sharedFolder.ts';

/** A shared folder on the disk of this machine. */
export class NodeFolder implements SharedFolder {
  readonly #path: string;
  readonly #log: Log;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #watcher: FSWatcher | undefined;
  /** Distinguishes the unfinished files of this window from those of others. */
  readonly #window: string;
  readonly #own = new Set<string>();
  /** Never rejects. */
  #lastWrite: Promise<void> = Promise.resolve();

  /** Creates the folder if needed. */
  static async open(path: string, window: string, log: Log): Promise<NodeFolder> {
    await ensurePrivateFolder(path);
    return new NodeFolder(path, window, log);
  }

  private constructor(path: string, window: string, log: Log) {
    this.#path = path;
    this.#window = window;
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

  /** Writes are serialized: of two texts for one file the later one stays. */
  async write(name: string, text: string): Promise<void> {
    const writing = this.#lastWrite.then(() => this.#replace(name, text));
    this.#lastWrite = writing.catch(() => undefined);
    await writing;
  }

  async #replace(name: string, text: string): Promise<void> {
    const draft = join(this.#path, `${name}.${this.#window}.draft`);
    this.#own.add(name);
    await writeFile(draft, text, { mode: privateFileMode });
    try {
      await rename(draft, join(this.#path, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  remove(name: string): void {
    this.#own.add(name);
    rmSync(join(this.#path, name), { force: true });
  }

  dispose(): void {
    this.#watcher?.close();
    this.#onDidChange.dispose();
  }

  /** A window that ends removes its file between listing and reading. */
  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#path, name), 'utf8');
    } catch (error) {
      this.#log.debug('builds', 'A shared file could not be read', { name, reason: String(error) });
      return undefined;
    }
  }

  /** If the system cannot watch files, windows see each other's files at the next heartbeat. */
  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#path, { persistent: false }, (_event, name) => {
        // The echo of our own change is no news; a later change by another window is.
        if (name?.endsWith('.json') === true && !this.#own.delete(name)) {
          this.#onDidChange.fire();
        }
      });
      watcher.on('error', (error) => this.#logUnwatched(error));
      return watcher;
    } catch (error) {
      this.#logUnwatched(error);
      return undefined;
    }
  }

  #logUnwatched(error: unknown): void {
    this.#log.warn('builds', 'The folder of the builds cannot be watched', { reason: String(error) });
  }
}
