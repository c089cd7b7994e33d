/** Storage for one JSON value, such as one key of a VS Code `Memento`. */
export interface ValueStorage {
  /** Returns the value last written by any window, not validated; `undefined` if there is none. */
  read(): unknown;
  write(value: unknown): void;
}
