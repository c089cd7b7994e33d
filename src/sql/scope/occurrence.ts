import type { SqlName } from '../syntax/tree.ts';
import type { Scope } from './model.ts';
import type { SqlSymbol } from './symbols.ts';

/** A place in the text where a symbol is named. */
export interface Occurrence {
  readonly name: SqlName;
  readonly symbol: SqlSymbol;
  readonly declares: boolean;
  /** For a column named without qualifier: the scope it was looked up in. */
  readonly scope?: Scope | undefined;
}
