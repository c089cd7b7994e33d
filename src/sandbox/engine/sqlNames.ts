/** Quotes an SQL identifier with double quotes. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Quotes a text as an SQL string literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns the key for comparing names, which are case-insensitive in SQL (platform-facts.md, 5.5). */
export const toSqlNameKey = (name: string): string => name.toLowerCase();
