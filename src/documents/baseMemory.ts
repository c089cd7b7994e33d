/** The version that the user's unsaved text is based on, kept beyond the window: text as shown, secrets masked. */
export interface RememberedBase {
  readonly text: string;
  /** The modification time that the editor was given for the file. */
  readonly mtime: number;
  readonly size: number;
}

/** Stores bases while there are unsaved changes: the editor keeps the changes themselves (hot exit). */
export interface BaseMemory {
  /** Returns `undefined` if nothing is known, or if two windows remember different ones. */
  recall(path: string): Promise<RememberedBase | undefined>;
  remember(path: string, base: RememberedBase): Promise<void>;
  forget(path: string): Promise<void>;
}

/** Remembers nothing. */
export const noMemory: BaseMemory = {
  recall: () => Promise.resolve(undefined),
  remember: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

/**
 * Returns the storage of a window under the name that it keeps over a reload. On a remote machine, the editor gives a
 * window a folder with another number (`…/4f2a-1/…`) while the previous extension host still holds the first one
 * (microsoft/vscode#128237); data kept there would be lost to the next window.
 * @param path of the folder that the editor names, `…/workspaceStorage/<workspace>[-<number>]/<extension>`
 */
export const getStableStoragePath = (path: string): string =>
  path.replace(/(?<=[^/])-\d+(?=\/[^/]+\/?$)/u, '');
