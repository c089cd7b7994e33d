import type { CatalogColumn, CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { getOccurrences } from './occurrences.ts';

/** A use of a table or column of the datamodel in a text. `table` and `column` are objects of the context's catalog. */
export interface CatalogUsage {
  readonly table: CatalogTable;
  /** Absent if the name refers to the table itself. */
  readonly column?: CatalogColumn;
  readonly start: number;
  readonly end: number;
}

/** Returns all uses of tables and columns of the datamodel in a text, sorted by offset. */
export function findCatalogUsages(text: string, context: ExpressionContext): readonly CatalogUsage[] {
  return getOccurrences(text, context).flatMap(
    ({ name: { start, end }, symbol }): readonly CatalogUsage[] => {
      if (symbol.kind === 'table') {
        return [{ table: symbol.table, start, end }];
      }
      return symbol.kind === 'column' ? [{ table: symbol.table, column: symbol.column, start, end }] : [];
    },
  );
}
