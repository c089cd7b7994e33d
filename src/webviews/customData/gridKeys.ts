/** The number of rows by which Page Up and Page Down move. */
const pageRows = 20;

/** Returns the row that a key moves to; `undefined` if the key does not move. */
export function getNextRow(key: string, row: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + pageRows,
    PageUp: row - pageRows,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1);
}
