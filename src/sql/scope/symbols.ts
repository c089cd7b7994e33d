import type { CatalogColumn, CatalogTable } from '../catalog.ts';
import type { Cte, Extent, SqlName } from '../syntax/tree.ts';

/** The meaning of a name. Two names mean the same if their symbols are the same object. */
export type SqlSymbol = TableSymbol | ColumnSymbol | AliasSymbol | CteSymbol | OutputSymbol;

export interface TableSymbol {
  readonly kind: 'table';
  readonly table: CatalogTable;
}

export interface ColumnSymbol {
  readonly kind: 'column';
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

/** The alias of a source in FROM. */
export interface AliasSymbol {
  readonly kind: 'alias';
  readonly name: SqlName;
  /** The catalog's table, if the alias stands for one. */
  readonly table: CatalogTable | undefined;
}

export interface CteSymbol {
  readonly kind: 'cte';
  readonly name: SqlName;
  readonly cte: Cte;
}

/** A column that the text itself names: `… AS x`, or a name in a column list. */
export interface OutputSymbol {
  readonly kind: 'output';
  readonly name: SqlName;
  /** The catalog's column, if the output is nothing but that column. */
  readonly origin: ColumnSymbol | undefined;
  /** The text that computes the output. */
  readonly source: Extent | undefined;
}

/** The key for comparing names, which ignores case, as the platform does. */
export function toNameKey(name: string): string {
  return name.toLowerCase();
}
