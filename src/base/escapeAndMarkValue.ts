/** Starts a value with escapes, and ends it if its last character is whitespace. */
export const escapeMarker = '\\.';

const whitespaceEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Writes a value on one line, with the escapes that lists of values can contain (reference.md, "Values in a table").
 * Spreadsheets quote cells with line breaks or quotes themselves, each in a different way, and text fields change line
 * breaks.
 */
export function escapeAndMarkValue(value: string): string {
  const escapedValue = value.replaceAll(/[\\;|\n\r\t]/g, (char) => whitespaceEscapes[char] ?? `\\${char}`);
  return `${escapeMarker}${escapedValue}${/\s$/.test(value) ? escapeMarker : ''}`;
}
