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
  readonly reason: /** The catalog does not have the table. */
    | 'no-table'
    /** A custom column reads a table other than its own. */
    | 'other-table'
    /** A qualifier names no source of the query. */
    | 'not-in-scope'
    /** A qualifier names a table that has an alias. */
    | 'hidden-by-alias'
    /** No source has the column. */
    | 'no-column'
    /** An output column is used where it is not computed yet, such as in WHERE. */
    | 'alias-too-early'
    /** Several sources have the column. */
    | 'ambiguous'
    /** Two sources have the same name. */
    | 'alias-twice'
    /** Two output columns have the same alias. */
    | 'output-twice'
    /** Two CTEs of one WITH clause have the same name. */
    | 'cte-twice';
  readonly scope: Scope | undefined;
  /** The sources that were searched for an unknown column, or all that have an ambiguous one. */
  readonly sources: readonly FromSource[];
  readonly path: readonly SqlName[];
}
