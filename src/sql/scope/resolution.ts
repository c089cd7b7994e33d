import type { SelectQuery } from '../syntax/tree.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { MergedName } from './merged.ts';
import type { Scope } from './model.ts';
import type { Occurrence } from './occurrence.ts';
import type { NameProblem } from './problems.ts';

/** What the names of a text mean, in order of text, and the names that mean nothing. */
export interface NameResolution {
  readonly occurrences: readonly Occurrence[];
  readonly problems: readonly NameProblem[];
  /** The scopes of all selects. */
  readonly scopes: readonly Scope[];
  /** The columns that each select gives whose names count: none of EXISTS, nor of the later arms of a UNION. */
  readonly results: readonly SelectResult[];
  /** Names that USING or NATURAL makes one column of several sources. */
  readonly merged: readonly MergedName[];
}

/** What a select gives. */
export interface SelectResult {
  readonly select: SelectQuery;
  readonly shape: SourceShape;
}
