import type { Extent, SqlName } from '../syntax/tree.ts';
import type { Scope } from './model.ts';
import type { FromSource } from './source.ts';

type NameProblemCode = 'unknown-table' | 'unknown-column' | 'ambiguous-column' | 'duplicate-alias';

/** A name that does not mean one thing, with what a quick fix needs to know. */
export interface NameProblem extends Extent {
  readonly code: NameProblemCode;
  readonly severity: 'error' | 'warning';
  readonly name: string;
  /** Why, where one code covers several cases. */
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
  /** The source that should have had the column, or the ones that all have it. */
  readonly sources: readonly FromSource[];
  readonly path: readonly SqlName[];
}
