import type { ExplorerNode } from './nodes/node.ts';

/** Quotes a name in brackets for SQL (platform-facts.md, 5.4); a closing bracket in it is doubled. */
const quoteWithBrackets = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** Returns the SQL reference to a table or column: `[Orders]`, `[Orders].[Order Date]`. */
export function toSqlReference({ reference }: ExplorerNode): string | undefined {
  if (reference === undefined) {
    return undefined;
  }
  const { table, column } = reference;
  return column === undefined
    ? quoteWithBrackets(table)
    : `${quoteWithBrackets(table)}.${quoteWithBrackets(column)}`;
}

/**
 * Returns the reference to a column in viewpoints and filters: `[Orders.Order Date]`; the reference to a table is
 * `[Orders]`.
 */
export function toDimReference({ reference }: ExplorerNode): string | undefined {
  if (reference === undefined) {
    return undefined;
  }
  const { table, column } = reference;
  return column === undefined ? `[${table}]` : `[${table}.${column}]`;
}
