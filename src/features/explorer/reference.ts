import type { ExplorerNode } from './nodes/node.ts';

/** A name in brackets as SQL reads it; a bracket in it is written twice (platform-facts 5). */
const quoteWithBrackets = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** How SQL refers to a table or column: `[Orders]`, `[Orders].[Order Date]`. */
export function toSqlReference({ reference }: ExplorerNode): string | undefined {
  if (reference === undefined) {
    return undefined;
  }
  const { table, column } = reference;
  return column === undefined
    ? quoteWithBrackets(table)
    : `${quoteWithBrackets(table)}.${quoteWithBrackets(column)}`;
}

/** How viewpoints and filters refer to a column: `[Orders.Order Date]`; a table alone is `[Orders]`. */
export function toDimReference({ reference }: ExplorerNode): string | undefined {
  if (reference === undefined) {
    return undefined;
  }
  const { table, column } = reference;
  return column === undefined ? `[${table}]` : `[${table}.${column}]`;
}
