import type { CatalogColumn, CatalogTable } from '../catalog.ts';
import type { Cte, TextRange, SqlName } from '../syntax/tree.ts';

/** What a name refers to. Two names refer to the same thing if their symbols are the same object. */
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
  /** The table of the catalog that the alias refers to, if any. */
  readonly table: CatalogTable | undefined;
}

export interface CteSymbol {
  readonly kind: 'cte';
  readonly name: SqlName;
  readonly cte: Cte;
}

/** An output column that is named in the text: `… AS x`, or a name in a column list. */
export interface OutputSymbol {
  readonly kind: 'output';
  readonly name: SqlName;
  /** The column of the catalog, if the output is that column without any computation. */
  readonly origin: ColumnSymbol | undefined;
  /** The range of the expression that computes the output. */
  readonly source: TextRange | undefined;
}

/** Returns a key for comparing names without regard to case, as the platform does. */
export function toNameKey(name: string): string {
  return name.toLowerCase();
}
