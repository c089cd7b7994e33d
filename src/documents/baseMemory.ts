/** What a person's unsaved text was made from, as it outlives the window: text as it was shown, secrets masked. */
export interface RememberedBase {
  readonly text: string;
  /** What the editor was told of the file then. */
  readonly mtime: number;
  readonly size: number;
}

/** Where bases are kept while there are unsaved changes: the editor keeps the changes themselves (hot exit). */
export interface BaseMemory {
  /** `undefined` when nothing is known, or when two windows remember different ones. */
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
 * The storage of a window under the name that it keeps over a reload. On a remote machine the editor gives a window a
 * folder with another number (`…/4f2a-1/…`) while the extension host before it still holds the first one
 * (microsoft/vscode#128237); what is kept there would be lost to the next window.
 * @param path of the folder that the editor names, `…/workspaceStorage/<workspace>[-<number>]/<extension>`
 */
export const getStableStoragePath = (path: string): string =>
  path.replace(/(?<=[^/])-\d+(?=\/[^/]+\/?$)/u, '');
