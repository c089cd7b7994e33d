import { toNameKey, type SqlSymbol } from '../scope/symbols.ts';

/** A table of the datamodel, or a column of one. */
export interface RenameTarget {
  table: string;
  column?: string;
}

/** True if a symbol is the given table or column of the datamodel. */
export function isTarget(symbol: SqlSymbol, target: RenameTarget): boolean {
  if (target.column === undefined) {
    return symbol.kind === 'table' && toNameKey(symbol.table.name) === toNameKey(target.table);
  }
  return (
    symbol.kind === 'column' &&
    toNameKey(symbol.table.name) === toNameKey(target.table) &&
    toNameKey(symbol.column.name) === toNameKey(target.column)
  );
}
