import type { SqlName } from '../syntax/tree.ts';
import type { FromSource } from './source.ts';

/** A name that stands for a column of several sources at once, because a join merges them. */
export interface MergedName {
  readonly name: SqlName;
  readonly sources: readonly FromSource[];
}
