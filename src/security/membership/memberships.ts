import { readRules } from '../readRule.ts';

/** Returns the IDs of the groups of a user; `undefined` if they are unknown. */
export type GetGroupIds = (userId: string) => readonly string[] | undefined;

/** Returns whether the effect of rules depends on memberships: they name users, and groups that these may be in. */
export function dependsOnMemberships(rules: readonly unknown[]): boolean {
  const types = new Set(readRules(rules).flatMap(({ parties }) => parties.map(({ type }) => type)));
  return types.has('user') && types.has('group');
}
