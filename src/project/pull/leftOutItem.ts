import type { ItemKey } from '../item.ts';

/**
 * An item of the instance that a pull leaves out: it isn't brought into files without the rules that may protect it on
 * the instance. Applied elsewhere, it could make data visible that they protect.
 */
export interface LeftOutItem {
  readonly key: ItemKey;
  /**
   * - `rules`: the project doesn't have the item or its SQL, and not all of its rules are known
   * - `column-rules`: the item has new columns, or columns with a new name, whose rules are unknown
   * - `party-type`: new or renamed columns of the item have a rule for an unknown type of party, which no file can have
   * - `pending-rename`: rules on new or renamed columns of the item, or relations of it, get names that the project has
   *   changed
   * - `shared-name`: with the new names of the project, rules on different columns would be on the same one
   * - `rules-conflict`: the item has new columns whose rules are in conflict
   * - `dependent`: the item refers to what isn't pulled, or is a new table with a relation that isn't
   */
  readonly reason:
    | 'rules'
    | 'column-rules'
    | 'party-type'
    | 'pending-rename'
    | 'shared-name'
    | 'rules-conflict'
    | 'dependent';
  /**
   * The columns that are the reason; empty for `rules`, `pending-rename`, and `dependent`. For `shared-name`, the name
   * of the table precedes that of the column: `Orders.Status`.
   */
  readonly columns: readonly string[];
}

/** Returns whether something is left out because rules of the instance are unknown, not only in conflict. */
export const areAnyRulesUnknown = (leftOut: readonly LeftOutItem[]): boolean =>
  leftOut.some(({ reason }) => reason === 'rules' || reason === 'column-rules' || reason === 'party-type');

/** Returns whether something is left out because of renames in the project, which might not be in conflict itself. */
export const isAnyRenamePending = (leftOut: readonly LeftOutItem[]): boolean =>
  leftOut.some(({ reason }) => reason === 'pending-rename' || reason === 'shared-name');
