import { type ColumnType, columnTypes } from '../../contract/terms.ts';
import type { ColumnInput } from './tableActions.ts';

/** The reason why an entry can't be used; `duplicate`: another column has the same name. */
export type ColumnsProblem =
  | { readonly code: 'no-name' | 'no-type' | 'unknown-type'; readonly entry: string }
  | { readonly code: 'duplicate'; readonly entry: string };

/** Common names of types, in addition to the platform's own names. */
const commonTypeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'Text'],
  ['long', 'BigInt'],
  ['number', 'Double'],
  ['bool', 'Boolean'],
]);

/** Finds a column type by the platform's own name or a common one, case-insensitively. */
export function findColumnType(word: string): ColumnType | undefined {
  const typeName = (commonTypeNames.get(word.toLowerCase()) ?? word).toLowerCase();
  const matches = (name: string | undefined): boolean => name?.toLowerCase() === typeName;
  return (
    columnTypes.find(({ name }) => matches(name)) ??
    columnTypes.find(({ previousName }) => matches(previousName))
  );
}

/**
 * Parses columns in the form `Order Id integer, Name text`. The last word is the type; columns are separated by a
 * comma, a semicolon or a line break. Names are compared case-insensitively, as in SQL.
 */
export function parseColumns(text: string): readonly ColumnInput[] | ColumnsProblem {
  const columns: ColumnInput[] = [];
  const seen = new Set<string>();
  for (const entry of text.split(/[,;\n]/).map((part) => part.trim())) {
    if (entry === '') {
      continue;
    }
    const column = parseColumn(entry);
    if ('code' in column) {
      return column;
    }
    if (seen.has(column.name.toLowerCase())) {
      return { code: 'duplicate', entry: column.name };
    }
    seen.add(column.name.toLowerCase());
    columns.push(column);
  }
  return columns;
}

function parseColumn(entry: string): ColumnInput | ColumnsProblem {
  const [, name, word] = /^(?:(.*\S)\s+)?(\S+)$/.exec(entry) ?? [];
  const type = findColumnType(word ?? '');
  if (name === undefined) {
    return { code: type === undefined ? 'no-type' : 'no-name', entry };
  }
  return type === undefined ? { code: 'unknown-type', entry } : { name, type: type.code };
}
