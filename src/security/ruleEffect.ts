import { groupRulesByColumn } from './columnAccess.ts';
import { getPartyAccess } from './effectiveAccess.ts';
import type { ParsedRule } from './readRule.ts';
import { isAllValues } from './valueSet.ts';

/** Whom rules restrict. What the platform doesn't document is no restriction, but uncertain (platform-facts.md, 3.3). */
export interface RuleEffect {
  /** Whether everyone is restricted who has no rule of their own. */
  readonly restrictsOthers: boolean;
  /** Whether some of the users and groups that the rules name are restricted. */
  readonly restrictsSome: boolean;
  /** Whether the rules might restrict more people than that. */
  readonly isUncertain: boolean;
}

export const noEffect: RuleEffect = { restrictsOthers: false, restrictsSome: false, isUncertain: false };
export const uncertainEffect: RuleEffect = { ...noEffect, isUncertain: true };

/** Returns whether it's certain that someone is restricted. */
export const isRestriction = ({ restrictsOthers, restrictsSome }: RuleEffect): boolean =>
  restrictsOthers || restrictsSome;

/** Returns whom several rules restrict together: rules on several columns apply together (platform-facts.md, 3.3). */
export const joinEffects = (effects: readonly RuleEffect[]): RuleEffect => ({
  restrictsOthers: effects.some(({ restrictsOthers }) => restrictsOthers),
  restrictsSome: effects.some(({ restrictsSome }) => restrictsSome),
  isUncertain: effects.some(({ isUncertain }) => isUncertain),
});

/** Returns whom the rules on columns restrict, provided that the columns exist. */
export function getRuleEffect(rules: readonly ParsedRule[]): RuleEffect {
  const columns = groupRulesByColumn(rules);
  const parties = rules.flatMap((rule) => rule.parties);
  const idsByType = Map.groupBy(parties, ({ type }) => type);
  const getIds = (type: 'user' | 'group'): ReadonlySet<string> =>
    new Set((idsByType.get(type) ?? []).flatMap(({ id }) => id ?? []));
  const getBounds = (party: Parameters<typeof getPartyAccess>[1]) =>
    getPartyAccess(columns, party).map(({ bounds }) => bounds);
  const others = getBounds({ groupIds: [] });
  const named = [
    ...[...getIds('user')].flatMap((userId) => getBounds({ userId, groupIds: [] })),
    ...[...getIds('group')].flatMap((groupId) => getBounds({ groupIds: [groupId] })),
  ];
  const isRestricted = ({ atMost }: (typeof others)[number]): boolean => !isAllValues(atMost);
  return {
    restrictsOthers: others.some(isRestricted),
    restrictsSome: named.some(isRestricted),
    isUncertain: [...others, ...named].some(
      ({ atLeast, atMost }) => isAllValues(atMost) && !isAllValues(atLeast),
    ),
  };
}
