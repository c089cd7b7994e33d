import type { Name } from '../syntax/tree.ts';
import type { Source } from './source.ts';

/** A name that stands for a column of several sources at once, because a join makes one of them. */
export interface MergedName {
  readonly name: Name;
  readonly sources: readonly Source[];
}
