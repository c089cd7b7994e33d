import type { SelectQuery } from '../syntax/tree.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { MergedName } from './mergedName.ts';
import type { Scope } from './scope.ts';
import type { Occurrence } from './occurrence.ts';
import type { NameProblem } from './nameProblem.ts';

/** The result of resolving the names of a text. Occurrences and problems are sorted by offset. */
export interface NameResolution {
  readonly occurrences: readonly Occurrence[];
  readonly problems: readonly NameProblem[];
  /** The scopes of all selects. */
  readonly scopes: readonly Scope[];
  /**
   * The columns of each select that determines the column names of a query, a CTE, or a derived table. Excludes
   * sub-selects in expressions, and the second and later operands of UNION.
   */
  readonly results: readonly SelectResult[];
  /** Column names that refer to several sources, merged by USING or NATURAL JOIN. */
  readonly mergedNames: readonly MergedName[];
}

/** The columns that a select returns. */
export interface SelectResult {
  readonly select: SelectQuery;
  readonly shape: SourceShape;
}
