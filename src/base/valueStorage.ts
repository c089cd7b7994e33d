/** Storage for one JSON value, such as a VS Code memento. */
export interface ValueStorage {
  read(): unknown;
  write(value: unknown): void;
}
