import type { CatalogColumn, CatalogTable } from '../catalog.ts';
import type { Cte, Extent, SqlName } from '../syntax/tree.ts';

/** What a name means. Two names mean the same when their symbols are the same object. */
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
  /** The catalogue's table when the alias stands for one. */
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
  /** The catalogue's column when the output is nothing but that column. */
  readonly origin: ColumnSymbol | undefined;
  /** The text the output is computed by. */
  readonly source: Extent | undefined;
}

/** Names compare without regard to case, as the platform does. */
export function toNameKey(name: string): string {
  return name.toLowerCase();
}
