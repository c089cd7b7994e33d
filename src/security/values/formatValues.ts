import { escapeAndMarkValue } from '../../base/escapeAndMarkValue.ts';

/** Formats values as a list that `parseValues` reads, for one line or with a line per value. */
export const formatValues = (values: Iterable<string>, separator: '; ' | '\n' = '; '): string =>
  [...values].map((value) => formatValue(value)).join(separator);

/**
 * Formats one value.
 * @param forcesQuotes quotes the value even if the list does not require it, because the reader of the whole text, such
 *   as a spreadsheet, does
 */
export function formatValue(value: string, forcesQuotes = false): string {
  const needsProtection =
    forcesQuotes ||
    value === '' ||
    value.trim() !== value ||
    /^(?:"|\\\.)|[;|]/.test(value) ||
    reservedTextPattern.test(value);
  if (/[\n\r\t]/.test(value) || (needsProtection && value.includes('"'))) {
    return escapeAndMarkValue(value);
  }
  return needsProtection ? `"${value}"` : value;
}

/** Matches a value that would be read as a keyword in a cell of the grid. */
const reservedTextPattern =
  /^(?:all(?: values)?|everything|nothing|no values|no rule|\?|all but(?:\s.*)?)$/is;
