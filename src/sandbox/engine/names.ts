/** An identifier as SQLite reads it for certain: double quotes, doubled inside. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The form under which names are compared: SQL finds names in any letter case (platform-facts 5.5). */
export const toSqlNameKey = (name: string): string => name.toLowerCase();
