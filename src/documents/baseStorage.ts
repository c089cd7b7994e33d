/** The version that the user's unsaved text is based on, stored for when the window closes. Its secrets are masked. */
export interface StoredBase {
  readonly text: string;
  /** The modification time that the file system provider reported for the file. */
  readonly mtime: number;
  readonly size: number;
}

/** Stores bases while there are unsaved changes: the editor keeps the changes themselves (hot exit). */
export interface BaseStorage {
  /** Returns `undefined` if nothing is stored, or if two windows stored different bases. */
  read(path: string): Promise<StoredBase | undefined>;
  write(path: string, base: StoredBase): Promise<void>;
  delete(path: string): Promise<void>;
}

/** Stores nothing, so nothing is found after the window was closed. */
export const noBaseStorage: BaseStorage = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  delete: () => Promise.resolve(),
};

/**
 * Returns a window's storage path in the form that stays the same when the window reloads. On a remote machine, VS Code
 * assigns a numbered folder (`…/4f2a-1/…`) while the previous extension host still locks the original one
 * (microsoft/vscode#128237). The next window would not find data in the numbered folder.
 * @param path the storage folder from VS Code, `…/workspaceStorage/<workspace>[-<number>]/<extension>`
 */
export const getStableStoragePath = (path: string): string =>
  path.replace(/(?<=[^/])-\d+(?=\/[^/]+\/?$)/u, '');
