/** The number of rows by which Page Up and Page Down move. */
const rowsPerPage = 20;

/** Returns the row that a key moves to; `undefined` if the key does not move. */
export function getNextRow(key: string, row: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + rowsPerPage,
    PageUp: row - rowsPerPage,
    Home: 0,
    End: count - 1,
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1);
}
