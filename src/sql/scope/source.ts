import type { FromItem } from '../syntax/tree.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { AliasSymbol, CteSymbol, TableSymbol } from './symbols.ts';

/** What a source refers to; `unknown` if the catalog does not have the table. */
export type SourceTarget =
  | TableSymbol
  | CteSymbol
  | { readonly kind: 'derived' }
  | { readonly kind: 'unknown' };

/** A source of a FROM clause, with its resolved target and columns. */
export interface FromSource {
  readonly item: FromItem | undefined;
  /** The name that qualifies its columns; `''` for a derived table without an alias. */
  readonly name: string;
  readonly key: string;
  readonly alias: AliasSymbol | undefined;
  readonly target: SourceTarget;
  readonly shape: SourceShape;
}
