import { computeColumnAccess, toPartyKeys, type ColumnRuleIndex } from '../columnAccess.ts';
import type { PartyRef } from '../readRule.ts';
import type { ColumnName } from '../tableAccess.ts';
import { allValues, isAllValues, isSameValueSet, isSubset } from '../valueSet.ts';
import type { AccessEffect, ColumnDifference, VisibleValues } from './accessDifferenceRow.ts';

/** The rules on one column before and after a change; absent if it has none. */
export interface ComparedColumn {
  readonly name: ColumnName;
  readonly before: ColumnRuleIndex | undefined;
  readonly after: ColumnRuleIndex | undefined;
}

/**
 * Finds the parties that see other values of a column: everyone else, and the users and groups that its rules name.
 * Takes time linear in the rules: parties with the same rules are compared once.
 */
export function findColumnDifferences({ name, before, after }: ComparedColumn): readonly ColumnDifference[] {
  const hasGroupRules = [before, after].some(
    (rules) => rules?.byParty.keys().some((key) => key.startsWith('group:')) === true,
  );
  const [readAccessBefore, readAccessAfter] = [createAccessReader(before), createAccessReader(after)];
  const comparisons = new Map<string, Comparison | undefined>();
  const parties = new Map<string, PartyRef>([['default:', { type: 'default' }]]);
  for (const rules of [before, after]) {
    for (const key of rules?.byParty.keys() ?? []) {
      parties.set(key, toPartyRef(key));
    }
  }
  return [...parties].flatMap(([key, party]): readonly ColumnDifference[] => {
    const [oldAccess, currentAccess] = [readAccessBefore(key), readAccessAfter(key)];
    const dependsOnGroups = party.type === 'user' && hasGroupRules;
    const comparisonKey = JSON.stringify([oldAccess.key, currentAccess.key, dependsOnGroups]);
    if (!comparisons.has(comparisonKey)) {
      comparisons.set(comparisonKey, compareAccess(oldAccess, currentAccess, dependsOnGroups));
    }
    const comparison = comparisons.get(comparisonKey);
    return comparison === undefined
      ? []
      : [
          {
            kind: 'column',
            name,
            party,
            ...comparison,
            before: oldAccess.visibleValues,
            after: currentAccess.visibleValues,
          },
        ];
  });
}

/** Returns whether the access is uncertain on both sides, for the same reason and with the same bounds. */
const isEquallyUncertain = (a: VisibleValues, b: VisibleValues): boolean =>
  a.access === b.access &&
  isSameValueSet(a.bounds.atLeast, b.bounds.atLeast) &&
  isSameValueSet(a.bounds.atMost, b.bounds.atMost);

type Comparison = Pick<ColumnDifference, 'effect' | 'isUncertain'>;

interface PartyAccess {
  /** The same for all parties with the same rules. */
  readonly key: string;
  readonly hasOwnRule: boolean;
  readonly visibleValues: VisibleValues;
}

const everything: VisibleValues = {
  access: allValues,
  bounds: { atLeast: allValues, atMost: allValues },
};

function createAccessReader(rules: ColumnRuleIndex | undefined): (partyKey: string) => PartyAccess {
  const accessByRules = new Map<string, PartyAccess>();
  return (partyKey) => {
    const ownRules = rules?.byParty.get(partyKey) ?? [];
    const hasOwnRule = ownRules.length > 0 && partyKey !== 'default:';
    const key = hasOwnRule ? ownRules.map(({ index }) => index).join() : 'default';
    const cachedAccess = accessByRules.get(key);
    if (cachedAccess !== undefined) {
      return cachedAccess;
    }
    const visibleValues =
      rules === undefined ? everything : computeColumnAccess(rules, getPartyKeys(partyKey), undefined);
    const access = { key, hasOwnRule, visibleValues };
    accessByRules.set(key, access);
    return access;
  };
}

const getPartyKeys = (partyKey: string): ReturnType<typeof toPartyKeys> => {
  const { type, id = '' } = toPartyRef(partyKey);
  return toPartyKeys(
    type === 'user' ? { userId: id, groupIds: [] } : { groupIds: type === 'group' ? [id] : [] },
  );
};

/** Converts a key of {@link ColumnRuleIndex.byParty} to its party. */
function toPartyRef(key: string): PartyRef {
  const separator = key.indexOf(':');
  const [type, id] = [key.slice(0, separator), key.slice(separator + 1)];
  return type === 'user' || type === 'group' ? { type, id } : { type: 'default' };
}

/**
 * Compares the access of a party.
 * @param dependsOnGroups the party is a user whose groups may have rules on the column: they apply in addition to a
 *   rule for the user, and in place of the rule for everyone else
 */
function compareAccess(
  { visibleValues: before, hasOwnRule: hadOwnRule }: PartyAccess,
  { visibleValues: after, hasOwnRule }: PartyAccess,
  dependsOnGroups: boolean,
): Comparison | undefined {
  const isDifferent = !isEquallyUncertain(before, after);
  const losesOwnRestriction = dependsOnGroups && hadOwnRule && !hasOwnRule && !seesEverything(before);
  const getsOwnRestriction = dependsOnGroups && !hadOwnRule && hasOwnRule && !seesEverything(after);
  const mayGain =
    (isDifferent && !isSubset(after.bounds.atMost, before.bounds.atLeast)) || losesOwnRestriction;
  const mayLose =
    (isDifferent && !isSubset(before.bounds.atMost, after.bounds.atLeast)) || getsOwnRestriction;
  if (!mayGain && !mayLose) {
    return undefined;
  }
  return {
    effect: getEffect(mayGain, mayLose),
    isUncertain: dependsOnGroups || typeof before.access === 'string' || typeof after.access === 'string',
  };
}

const seesEverything = ({ access }: VisibleValues): boolean =>
  typeof access !== 'string' && isAllValues(access);

export const getEffect = (mayGain: boolean, mayLose: boolean): AccessEffect =>
  mayGain && mayLose ? 'changes' : mayGain ? 'gains' : 'loses';
