import type { CellValue } from './cellText.ts';
import { getCellKey, everyoneElse, toMatrixParty, type MatrixParty } from './ruleMatrix.ts';

/** What holds for a party where its own cell has no rule. */
export type InheritedAccess =
  /** The rule for everyone else; without a value nobody can say what is seen. */
  | { readonly kind: 'default'; readonly value: CellValue }
  /** The rules of groups that the user is in, one behind the other. */
  | { readonly kind: 'groups'; readonly groups: readonly MatrixParty[]; readonly value: CellValue }
  /** Groups have rules on the column, and nobody reports which of them the user is in. */
  | { readonly kind: 'groups-unknown' };

/**
 * What holds in a cell without a rule (platform-facts 3.3): for a user the rules of their groups, and that for everyone
 * else only where those have none.
 * @param cell what stands in a cell, by its key
 * @param groupIds the groups of the user; `undefined` where they are unknown
 * @param hasGroupRules whether any group has a rule on the column
 */
export function getInheritedAccess(
  party: MatrixParty,
  columnKey: string,
  cell: (key: string) => CellValue,
  groupIds: readonly string[] | undefined,
  hasGroupRules: boolean,
): InheritedAccess {
  if (party.type === 'user' && hasGroupRules) {
    if (groupIds === undefined) {
      return { kind: 'groups-unknown' };
    }
    const groups = groupIds.map((id) => toMatrixParty({ type: 'group', id }));
    const ruled = groups.filter(({ key }) => cell(getCellKey(key, columnKey)).length > 0);
    if (ruled.length > 0) {
      const value = ruled.flatMap(({ key }) => cell(getCellKey(key, columnKey)));
      return { kind: 'groups', groups: ruled, value };
    }
  }
  return { kind: 'default', value: cell(getCellKey(everyoneElse.key, columnKey)) };
}
