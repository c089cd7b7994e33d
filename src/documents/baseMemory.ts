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
