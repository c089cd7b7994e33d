import type { SqlName } from '../syntax/tree.ts';
import type { FromSource } from './source.ts';

/** A column name that refers to several sources, because USING or NATURAL JOIN merges their columns. */
export interface MergedName {
  readonly name: SqlName;
  readonly sources: readonly FromSource[];
}
