import type { TextRange, SqlName } from '../syntax/tree.ts';
import type { Scope } from './scope.ts';
import type { FromSource } from './source.ts';

type NameProblemCode = 'unknown-table' | 'unknown-column' | 'ambiguous-column' | 'duplicate-alias';

/** A name that is unknown, ambiguous or duplicate, with the data that quick fixes need. */
export interface NameProblem extends TextRange {
  readonly code: NameProblemCode;
  readonly severity: 'error' | 'warning';
  readonly name: string;
  /** The specific problem; some codes cover several. */
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
  /** The sources that were searched for an unknown column, or all that have an ambiguous one. */
  readonly sources: readonly FromSource[];
  readonly path: readonly SqlName[];
}
