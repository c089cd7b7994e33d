/** Storage for one JSON value, such as one key of a VS Code `Memento`. */
export interface ValueStorage {
  /** Returns the last written value, in this window or another, unparsed; `undefined` if there is none. */
  read(): unknown;
  write(value: unknown): void;
}
