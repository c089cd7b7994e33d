import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Disposable } from './disposable.ts';

/** The path of the watched root, relative to itself. */
const rootPath = '';

/** What a {@link FolderWatcher} watches. */
interface WatchedFolder {
  /** The absolute path of a folder, which may be deleted and created again. */
  readonly root: string;
  /**
   * Returns whether the file or folder at a path is watched. The path is relative to the root, with `/` between the
   * names. If a folder isn't watched, nothing in it is.
   */
  readonly includes: (path: string) => boolean;
}

/**
 * Reports what is created, changed, and deleted in a folder, with one watcher of the system for each folder in it.
 * Folders that are created or moved are watched immediately, with what they already contain. Links aren't followed.
 * Changes in folders that the system refuses to watch aren't reported.
 */
export class FolderWatcher implements Disposable {
  readonly #watched: WatchedFolder;
  readonly #onChange: (path: string) => void;
  readonly #parent: FSWatcher | undefined;
  /** The watchers of the folders, by their paths in the root. */
  readonly #watchers = new Map<string, FSWatcher>();
  /** Resolves once the folders that already exist are watched. */
  readonly ready: Promise<void>;
  #isDisposed = false;

  /** @param onChange called with the path of what has changed, relative to the root, with `/` between the names */
  constructor(watched: WatchedFolder, onChange: (path: string) => void) {
    this.#watched = watched;
    this.#onChange = onChange;
    const { root } = watched;
    this.#parent = openWatcher(dirname(root), (isRenamed, name) => {
      if (isRenamed && name === basename(root)) {
        void this.#follow(rootPath);
      }
    });
    this.ready = this.#watchFolder(rootPath, { isNew: false });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#parent?.close();
    this.#close(rootPath);
  }

  /** Watches a folder and all folders in it; of new ones, reports the files. */
  async #watchFolder(path: string, { isNew }: { readonly isNew: boolean }): Promise<void> {
    if (this.#isDisposed) {
      return;
    }
    this.#watchers.get(path)?.close();
    const absolutePath = join(this.#watched.root, path);
    // Watch the folder before reading its entries, so that no change is missed in between.
    const watcher = openWatcher(absolutePath, (isRenamed, name) => {
      const inner = joinNames(path, name);
      if (this.#watched.includes(inner)) {
        this.#onChange(inner);
        if (isRenamed) {
          void this.#follow(inner);
        }
      }
    });
    if (watcher === undefined) {
      this.#watchers.delete(path);
      return;
    }
    this.#watchers.set(path, watcher);
    const entries = await readdir(absolutePath, { withFileTypes: true }).catch(() => []);
    const included = entries
      .map((entry) => ({ entry, inner: joinNames(path, entry.name) }))
      .filter(({ inner }) => this.#watched.includes(inner));
    if (isNew && !this.#isDisposed) {
      included.filter(({ entry }) => !entry.isDirectory()).forEach(({ inner }) => this.#onChange(inner));
    }
    const folders = included.filter(({ entry }) => entry.isDirectory());
    await Promise.all(folders.map(({ inner }) => this.#watchFolder(inner, { isNew })));
  }

  /** Watches what is at a path now, after something there was created, moved, or deleted. */
  async #follow(path: string): Promise<void> {
    // A folder that was moved away would be reported with its former path.
    this.#close(path);
    const stats = await lstat(join(this.#watched.root, path)).catch(() => undefined);
    if (stats?.isDirectory() === true) {
      await this.#watchFolder(path, { isNew: true });
    }
  }

  /** Stops watching a folder and all folders in it. */
  #close(path: string): void {
    for (const [other, watcher] of this.#watchers) {
      if (path === rootPath || other === path || other.startsWith(`${path}/`)) {
        watcher.close();
        this.#watchers.delete(other);
      }
    }
  }
}

const joinNames = (folder: string, name: string): string =>
  folder === rootPath ? name : `${folder}/${name}`;

/**
 * Watches the entries of a folder; returns `undefined` if the system refuses it.
 * @param onEvent called with the name of an entry, and whether it was created, moved, or deleted
 */
function openWatcher(
  path: string,
  onEvent: (isRenamed: boolean, name: string) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, (event, name) => {
      if (name !== null) {
        onEvent(event === 'rename', name);
      }
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // The folder was deleted, can't be read, or the system's limit of watches is reached.
    return undefined;
  }
}
