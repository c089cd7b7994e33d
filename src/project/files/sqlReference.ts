import type { JsonValue } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { itemSuffixes } from '../paths.ts';

/** Returns the path in a reference to an SQL file, or a message if the value is not a valid reference. */
export function readSqlReference(file: JsonValue): string | Message {
  const suffix = itemSuffixes.tableExpression;
  if (typeof file !== 'string' || !file.toLowerCase().endsWith(suffix)) {
    return createMessage('Expected a file path that ends with "{0}".', suffix);
  }
  if (file.includes('\\')) {
    return createMessage('Expected "/" between the folders of a path.');
  }
  return /^(?:[a-z]:|\/)/i.test(file) || file.split('/').some((part) => ['', '.', '..'].includes(part))
    ? createMessage('Expected a path that is in the folder of this file and doesn\'t contain "." or "..".')
    : file;
}

/** Returns the path of the file that the file of a table refers to. */
export const resolveSqlReference = (tablePath: string, file: string): string =>
  `${tablePath.slice(0, tablePath.lastIndexOf('/') + 1)}${file}`;

/**
 * Returns how the file of a table refers to another file.
 * @throws RangeError if the file is not in the folder of the table's file
 */
export function createSqlReference(tablePath: string, path: string): string {
  // Some systems return file names in decomposed Unicode form; references in files are always composed.
  const folder = tablePath.slice(0, tablePath.lastIndexOf('/') + 1).normalize('NFC');
  const composed = path.normalize('NFC');
  if (!composed.startsWith(folder)) {
    throw new RangeError('The SQL is not in the folder of its table');
  }
  return composed.slice(folder.length);
}
