import {
  computeColumnAccess,
  isUncertain,
  toPartyKeys,
  type ColumnRuleIndex,
  type Party,
} from '../columnAccess.ts';
import type { GetGroupIds } from '../membership/memberships.ts';
import type { PartyRef } from '../readRules.ts';
import type { ColumnName } from '../tableAccess.ts';
import { allValues, isAllValues, isSameValueSet, isSubset } from '../valueSet.ts';
import type { AccessEffect, ColumnDifference, VisibleValues } from './accessDifferenceRow.ts';

/** The rules on one column before and after a change; `undefined` where it has none. */
export interface ComparedColumn {
  readonly name: ColumnName;
  readonly tables: ColumnDifference['tables'];
  readonly before: ColumnRuleIndex | undefined;
  readonly after: ColumnRuleIndex | undefined;
}

/**
 * Finds the parties that see other values of a column: everyone else, and the users and groups that its rules name.
 * Parties with the same rules are compared once, so this takes time linear in the rules and the groups of users.
 */
export function findColumnDifferences(
  { name, tables, before, after }: ComparedColumn,
  getGroupIds: GetGroupIds,
): readonly ColumnDifference[] {
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
  return [...parties.values()].flatMap((party): readonly ColumnDifference[] => {
    const groupIds = party.type === 'user' ? getGroupIds(party.id ?? '') : undefined;
    const [oldAccess, newAccess] = [readAccessBefore(party, groupIds), readAccessAfter(party, groupIds)];
    const dependsOnGroups = party.type === 'user' && hasGroupRules && groupIds === undefined;
    const comparisonKey = JSON.stringify([oldAccess.key, newAccess.key, dependsOnGroups]);
    if (!comparisons.has(comparisonKey)) {
      comparisons.set(comparisonKey, compareAccess(oldAccess, newAccess, dependsOnGroups));
    }
    const comparison = comparisons.get(comparisonKey);
    return comparison === undefined
      ? []
      : [
          {
            kind: 'column',
            name,
            tables,
            party,
            ...comparison,
            before: oldAccess.visibleValues,
            after: newAccess.visibleValues,
          },
        ];
  });
}

/**
 * Returns whether both sides have the same bounds and the same reason for uncertainty, so that nothing has changed. May
 * return false for equal access that is certain.
 */
const hasSameUncertainty = (a: VisibleValues, b: VisibleValues): boolean =>
  a.access === b.access &&
  isSameValueSet(a.bounds.atLeast, b.bounds.atLeast) &&
  isSameValueSet(a.bounds.atMost, b.bounds.atMost);

/** Returns whether a column may show a value that it did not show before. */
export const mayShowMore = (before: VisibleValues, after: VisibleValues): boolean =>
  !hasSameUncertainty(before, after) && !isSubset(after.bounds.atMost, before.bounds.atLeast);

type Comparison = Pick<ColumnDifference, 'effect' | 'isUncertain'>;

interface PartyAccess {
  /** The same for all parties with the same rules. */
  readonly key: string;
  readonly hasOwnRule: boolean;
  readonly visibleValues: VisibleValues;
}

/** What a column without rules shows. */
export const unrestrictedValues: VisibleValues = {
  access: allValues,
  bounds: { atLeast: allValues, atMost: allValues },
};

type ReadAccess = (party: PartyRef, groupIds?: readonly string[]) => PartyAccess;

function createAccessReader(rules: ColumnRuleIndex | undefined): ReadAccess {
  const accessByRules = new Map<string, PartyAccess>();
  const getRuleIndexes = (keys: ReadonlySet<string>): readonly number[] =>
    [...keys].flatMap((key) => rules?.byParty.get(key) ?? []).map(({ index }) => index);
  return (party, groupIds) => {
    const partyKeys = toPartyKeys(toParty(party, groupIds));
    const [userRules, groupRules] = [partyKeys.userKeys, partyKeys.groupKeys].map(getRuleIndexes);
    const hasOwnRule = [userRules, groupRules].some((indexes) => indexes !== undefined && indexes.length > 0);
    const key = hasOwnRule ? JSON.stringify([userRules, groupRules]) : 'default';
    const cachedAccess = accessByRules.get(key);
    if (cachedAccess !== undefined) {
      return cachedAccess;
    }
    const visibleValues =
      rules === undefined ? unrestrictedValues : computeColumnAccess(rules, partyKeys, undefined);
    const access = { key, hasOwnRule, visibleValues };
    accessByRules.set(key, access);
    return access;
  };
}

/**
 * Returns the party to compute the access of, with the groups of a user or of the members of a group if they are known.
 */
export const toParty = ({ type, id = '' }: PartyRef, groupIds: readonly string[] = []): Party =>
  type === 'user' ? { userId: id, groupIds } : { groupIds: type === 'group' ? [id, ...groupIds] : [] };

/** Converts a key of {@link ColumnRuleIndex.byParty} to its party. */
function toPartyRef(key: string): PartyRef {
  const separator = key.indexOf(':');
  const [type, id] = [key.slice(0, separator), key.slice(separator + 1)];
  return type === 'user' || type === 'group' ? { type, id } : { type: 'default' };
}

/**
 * Compares the access of a party before and after a change; returns `undefined` if the party can neither gain nor lose.
 * @param dependsOnGroups true for a user whose groups are unknown, if groups have rules on the column. The rules of the
 *   user's groups apply in addition to a rule for the user, and in place of the rule for everyone else
 */
function compareAccess(
  { visibleValues: before, hasOwnRule: hadOwnRule }: PartyAccess,
  { visibleValues: after, hasOwnRule }: PartyAccess,
  dependsOnGroups: boolean,
): Comparison | undefined {
  const losesOwnRestriction = dependsOnGroups && hadOwnRule && !hasOwnRule && !seesEverything(before);
  const getsOwnRestriction = dependsOnGroups && !hadOwnRule && hasOwnRule && !seesEverything(after);
  const mayGain = mayShowMore(before, after) || losesOwnRestriction;
  const mayLose = mayShowMore(after, before) || getsOwnRestriction;
  if (!mayGain && !mayLose) {
    return undefined;
  }
  return {
    effect: getEffect(mayGain, mayLose),
    isUncertain: dependsOnGroups || isUncertain(before.access) || isUncertain(after.access),
  };
}

const seesEverything = ({ access }: VisibleValues): boolean => !isUncertain(access) && isAllValues(access);

export const getEffect = (mayGain: boolean, mayLose: boolean): AccessEffect =>
  mayGain && mayLose ? 'changes' : mayGain ? 'gains' : 'loses';
