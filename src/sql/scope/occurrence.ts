import type { SqlName } from '../syntax/tree.ts';
import type { Scope } from './model.ts';
import type { SqlSymbol } from './symbols.ts';

/** An occurrence of a symbol in the text. */
export interface Occurrence {
  readonly name: SqlName;
  readonly symbol: SqlSymbol;
  readonly declares: boolean;
  /** For a column without a qualifier: the scope in which it was looked up. */
  readonly scope?: Scope | undefined;
}
