import type { ColumnName } from '../../security/tableAccess.ts';

/** Returns the ID of a column in a datamodel that is read from files: it consists of the names of table and column. */
export const createColumnId = (table: string, column: string): string => JSON.stringify([table, column]);

/** Returns the names in the ID of a column, see {@link createColumnId}. */
export function parseColumnId(id: string): ColumnName {
  const [table, column] = JSON.parse(id) as [string, string];
  return { table, column };
}
