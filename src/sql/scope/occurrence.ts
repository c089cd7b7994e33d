import type { SqlName } from '../syntax/tree.ts';
import type { Scope } from './scope.ts';
import type { SqlSymbol } from './symbols.ts';

/** An occurrence of a symbol in the text. */
export interface Occurrence {
  readonly name: SqlName;
  readonly symbol: SqlSymbol;
  readonly isDeclaration: boolean;
  /** For a column without a qualifier: the scope in which it was looked up. */
  readonly scope?: Scope | undefined;
}
