import type { CellValue } from './cellText.ts';
import { getCellKey, everyoneElse, toMatrixParty, type MatrixParty } from './ruleMatrix.ts';

/** The access of a party whose own cell has no rule. */
export type InheritedAccess =
  /** The rule for everyone else applies; if `value` is empty, there is none and the access is uncertain. */
  | { readonly kind: 'default'; readonly value: CellValue }
  /** The rules of the user's groups apply, concatenated in `value`. */
  | { readonly kind: 'groups'; readonly groups: readonly MatrixParty[]; readonly value: CellValue }
  /** Groups have rules on the column, and it is unknown which of them the user is in. */
  | { readonly kind: 'groups-unknown' };

/**
 * Returns the access of a cell without a rule (platform-facts.md, 3.3): for a user, the rules of their groups, or if
 * these have none, the rule for everyone else.
 * @param getCell returns the content of a cell by its key
 * @param groupIds the groups of the user; `undefined` if they are unknown
 * @param hasGroupRules whether any group has a rule on the column
 */
export function getInheritedAccess(
  party: MatrixParty,
  columnKey: string,
  getCell: (key: string) => CellValue,
  groupIds: readonly string[] | undefined,
  hasGroupRules: boolean,
): InheritedAccess {
  if (party.type === 'user' && hasGroupRules) {
    if (groupIds === undefined) {
      return { kind: 'groups-unknown' };
    }
    const groups = groupIds.map((id) => toMatrixParty({ type: 'group', id }));
    const groupsWithRules = groups.filter(({ key }) => getCell(getCellKey(key, columnKey)).length > 0);
    if (groupsWithRules.length > 0) {
      const value = groupsWithRules.flatMap(({ key }) => getCell(getCellKey(key, columnKey)));
      return { kind: 'groups', groups: groupsWithRules, value };
    }
  }
  return { kind: 'default', value: getCell(getCellKey(everyoneElse.key, columnKey)) };
}
