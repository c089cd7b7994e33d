/**
 * Reads and writes SQL as the text of a file. Line endings, byte-order marks, and line breaks at the end are not part
 * of the SQL, because git and editors change them.
 */

/** Returns SQL in the form that is compared: with LF line endings, without a byte-order mark or final line breaks. */
export const toCanonicalSql = (sql: string): string =>
  sql
    .replace(/^\uFEFF+/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replace(/\n+$/, '');

/** Returns the text of a new file. Reading it gives the canonical SQL. */
export const formatSqlFile = (sql: string): string => `${toCanonicalSql(sql)}\n`;

/** Replaces the SQL in the text of an existing file. Its byte-order mark and its line endings are kept. */
export function editSqlFile(text: string, sql: string): string {
  if (toCanonicalSql(text) === toCanonicalSql(sql)) {
    return text;
  }
  const newText = formatSqlFile(sql);
  return `${text.startsWith('\uFEFF') ? '\uFEFF' : ''}${
    text.includes('\r\n') ? newText.replaceAll('\n', '\r\n') : newText
  }`;
}
