import type { FromItem } from '../syntax/tree.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { AliasSymbol, CteSymbol, TableSymbol } from './symbols.ts';

/** The target of a source; `unknown` is a table that the catalog does not have. */
export type SourceTarget =
  | TableSymbol
  | CteSymbol
  | { readonly kind: 'derived' }
  | { readonly kind: 'unknown' };

/** One source of a FROM clause as its select sees it. */
export interface FromSource {
  readonly item: FromItem | undefined;
  /** The name that qualifies its columns; `''` for a derived table without alias. */
  readonly name: string;
  readonly key: string;
  readonly alias: AliasSymbol | undefined;
  readonly target: SourceTarget;
  readonly shape: SourceShape;
}
