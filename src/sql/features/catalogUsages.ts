import type { CatalogColumn, CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { getOccurrences } from './occurrences.ts';

/** A place that names a table or column of the datamodel; both are the same objects as in the context's catalog. */
export interface CatalogUsage {
  readonly table: CatalogTable;
  /** Absent if the table itself is named. */
  readonly column?: CatalogColumn;
  readonly start: number;
  readonly end: number;
}

/** Returns every place of a text that names a table or column of the datamodel, in order of text. */
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
