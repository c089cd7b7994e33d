import type { SelectQuery } from '../syntax/tree.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { MergedName } from './merged.ts';
import type { Scope } from './model.ts';
import type { Occurrence } from './occurrence.ts';
import type { NameProblem } from './problems.ts';

/** The meanings of the names of a text, in order of text, and the names without a meaning. */
export interface NameResolution {
  readonly occurrences: readonly Occurrence[];
  readonly problems: readonly NameProblem[];
  /** The scopes of all selects. */
  readonly scopes: readonly Scope[];
  /** The columns of each select whose names count: none of EXISTS, nor of the later arms of a UNION. */
  readonly results: readonly SelectResult[];
  /** Names of columns that USING or NATURAL merges from several sources. */
  readonly merged: readonly MergedName[];
}

/** The columns that a select returns. */
export interface SelectResult {
  readonly select: SelectQuery;
  readonly shape: SourceShape;
}
