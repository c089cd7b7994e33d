/** Storage for one JSON value, such as one key of a VS Code `Memento`. */
export interface ValueStorage {
  read(): unknown;
  write(value: unknown): void;
}
