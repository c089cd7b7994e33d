import { groupRulesByColumn } from './columnAccess.ts';
import { getPartyAccess } from './effectiveAccess.ts';
import type { ParsedRule } from './readRules.ts';
import { isAllValues } from './valueSet.ts';

/**
 * Whom rules restrict. A case that the platform doesn't document does not count as a restriction, but as uncertain
 * (platform-facts.md, 3.3).
 */
export interface RuleEffect {
  /** Whether everyone else is restricted: those without a rule of their own. */
  readonly restrictsEveryoneElse: boolean;
  /** Whether any of the users and groups that the rules name are restricted. */
  readonly restrictsNamedParties: boolean;
  /** Whether the rules may also restrict people whom the two fields above leave out. */
  readonly isUncertain: boolean;
}

export const noEffect: RuleEffect = {
  restrictsEveryoneElse: false,
  restrictsNamedParties: false,
  isUncertain: false,
};
export const uncertainEffect: RuleEffect = { ...noEffect, isUncertain: true };

/** Returns whether it's certain that someone is restricted. */
export const restrictsAnyone = ({ restrictsEveryoneElse, restrictsNamedParties }: RuleEffect): boolean =>
  restrictsEveryoneElse || restrictsNamedParties;

/** Returns whom several rules restrict together: rules on several columns apply together (platform-facts.md, 3.3). */
export const joinEffects = (effects: readonly RuleEffect[]): RuleEffect => ({
  restrictsEveryoneElse: effects.some(({ restrictsEveryoneElse }) => restrictsEveryoneElse),
  restrictsNamedParties: effects.some(({ restrictsNamedParties }) => restrictsNamedParties),
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
  const everyoneElseBounds = getBounds({ groupIds: [] });
  const namedPartyBounds = [
    ...[...getIds('user')].flatMap((userId) => getBounds({ userId, groupIds: [] })),
    ...[...getIds('group')].flatMap((groupId) => getBounds({ groupIds: [groupId] })),
  ];
  const isRestricted = ({ atMost }: (typeof everyoneElseBounds)[number]): boolean => !isAllValues(atMost);
  return {
    restrictsEveryoneElse: everyoneElseBounds.some(isRestricted),
    restrictsNamedParties: namedPartyBounds.some(isRestricted),
    isUncertain: [...everyoneElseBounds, ...namedPartyBounds].some(
      ({ atLeast, atMost }) => isAllValues(atMost) && !isAllValues(atLeast),
    ),
  };
}
