import type { ItemKey } from '../item.ts';

/**
 * Why a plan can't be applied:
 * - `unknown-party`, `ambiguous-party`, `unbound-party`: a user or group that the instance doesn't have, that it has
 *   twice, or whose number is not in the lock of the environment
 * - `unknown-reference`: a table, column, or dataset that neither the instance nor the project has
 * - `unmapped-connection`: a new dataset needs a connection that the environment doesn't have
 * - `masked-secret`: a new item would contain the mask of a secret instead of the secret
 * - `missing-id`: a new base table doesn't have the name of the table in its source
 * - `fixed-title`: the title of a datamodel can't be changed
 * - `dataset-in-use`: a dataset is to be deleted, but some of its tables are kept
 * - `table-in-use`: a table is to be deleted that a relation of the project needs
 * - `rules-on-new-name`: the instance already has rules on the new name of a column, which would take effect, and the
 *   project has none there
 * - `unknown-party-type`: the instance has a rule for a type of party that isn't known, and its column or table is to
 *   be renamed
 * - `filter-mismatch`: a custom data object doesn't match the filter that finds it
 * - `missing-datamodel`: a viewpoint needs a datamodel that neither the instance nor the project has
 * - `loses-later`: a viewpoint has to wait although it loses something, and rules or data that it shows change now
 * - `circular-rename`: items or columns exchange their names, such as two columns of a table
 */
export type ApplyProblemCode =
  | 'unknown-party'
  | 'ambiguous-party'
  | 'unbound-party'
  | 'unknown-reference'
  | 'unmapped-connection'
  | 'masked-secret'
  | 'missing-id'
  | 'fixed-title'
  | 'dataset-in-use'
  | 'table-in-use'
  | 'rules-on-new-name'
  | 'unknown-party-type'
  | 'filter-mismatch'
  | 'missing-datamodel'
  | 'loses-later'
  | 'circular-rename';

/** Something that keeps a plan from being applied. Nothing is written while there is one. */
export interface ApplyProblem {
  readonly code: ApplyProblemCode;
  readonly key: ItemKey;
  /** What the problem is about, such as the name of a group. */
  readonly name: string;
}

/**
 * Why a change has to wait for a build, or for the next apply:
 * - `generated-column`: it refers to a column that only a build creates (rest-api.md, "Table")
 * - `relation-column`: the same, for a relation; until it exists, rules don't take effect across it
 * - `rules-need-build`: the instance takes rules of a datamodel only after its first build (platform-facts.md, 3.1)
 * - `renames-first`: rules change together with the names of other columns with rules, which has no safe order
 * - `rules-first`: a viewpoint might give access to data that rules don't restrict before the later apply
 * - `kept-rules`: the same, but no apply completes the rules: on a column where the project has rules, the instance has
 *   a rule for a type of party that isn't known
 */
export type DeferralReason =
  | 'generated-column'
  | 'relation-column'
  | 'rules-need-build'
  | 'renames-first'
  | 'rules-first'
  | 'kept-rules';

/** A change that can be applied only after a build, or by the next apply. */
export interface DeferredChange {
  readonly key: ItemKey;
  readonly reason: DeferralReason;
  /** The custom tables whose SQL generates the columns; for `generated-column` and `relation-column` only. */
  readonly generatedBy?: readonly string[];
  /** The columns with the kept rules, such as `Orders.Status`. */
  readonly columns?: readonly string[];
  /** What waits of the change of a table; absent if the change waits as a whole, and for other kinds. */
  readonly part?: DeferredPart;
  /** What isn't visible until then; for the part `unhiding` only. */
  readonly stillHidden?: StillHidden;
}

/** What an apply keeps or creates hidden of a table, so that a later one shows it. */
export interface StillHidden {
  readonly isTable: boolean;
  /** The names of the columns in the project. */
  readonly columns: readonly string[];
}

/**
 * A part of the change of a table:
 * - `references`: the members that refer to columns, such as the build behavior
 * - `column-deletions`: the deletion of columns
 * - `unhiding`: that hidden or new columns, or the table, are shown
 */
export type DeferredPart = 'references' | 'column-deletions' | 'unhiding';
