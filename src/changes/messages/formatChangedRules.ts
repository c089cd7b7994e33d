import type { Localize } from '../../base/localize.ts';
import type { Operation } from '../model/operation.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';

/**
 * Returns what an operation on rules changes: a column, or the party of one rule and its column, since a title with
 * the name of a group alone seems to be about the group. `undefined` for an operation that changes anything else.
 */
export function formatChangedRules(t: Localize, { subject, writes }: Operation): string | undefined {
  if (writes.length === 0 || !writes.every(isRuleWrite)) {
    return undefined;
  }
  const { name, within } = subject;
  const [, ...parents] = within;
  const column = parents.at(-1);
  return column?.includes('.') === true ? t('{0} on {1}', name, column) : name;
}
