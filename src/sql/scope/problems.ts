import type { Extent, SqlName } from '../syntax/tree.ts';
import type { Scope } from './model.ts';
import type { FromSource } from './source.ts';

type NameProblemCode = 'unknown-table' | 'unknown-column' | 'ambiguous-column' | 'duplicate-alias';

/** A name that does not have exactly one meaning, with the data that a quick fix needs. */
export interface NameProblem extends Extent {
  readonly code: NameProblemCode;
  readonly severity: 'error' | 'warning';
  readonly name: string;
  /** The reason, for codes that cover several cases. */
  readonly reason:
    | 'no-table'
    | 'other-table'
    | 'not-in-scope'
    | 'hidden-by-alias'
    | 'no-column'
    | 'alias-too-early'
    | 'several'
    | 'alias-twice'
    | 'output-twice'
    | 'cte-twice';
  readonly scope: Scope | undefined;
  /** The source that should have the column, or the ones that all have it. */
  readonly sources: readonly FromSource[];
  readonly path: readonly SqlName[];
}
