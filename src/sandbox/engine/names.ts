/** Quotes an identifier so that SQLite always reads it as one: double quotes, doubled inside. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Writes a text literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The key for comparing names: SQL finds names in any letter case (platform-facts.md, 5.5). */
export const toSqlNameKey = (name: string): string => name.toLowerCase();
