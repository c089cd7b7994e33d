import { getPartyId, type Rule } from '../../contract/rule.ts';

/** The user that runs a query, and the user's groups. */
export interface QueryParty {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** How to combine several allow-lists of one user; the documentation permits both readings (platform-facts.md, 3.3). */
export type QueryListCombination = 'union' | 'intersection';

/** The values of one column that a party may see: only these, or all except these. */
export interface ColumnValues {
  readonly kind: 'only' | 'except';
  readonly values: ReadonlySet<string>;
}

const allColumnValues: ColumnValues = { kind: 'except', values: new Set() };
const noColumnValues: ColumnValues = { kind: 'only', values: new Set() };

export const isUnrestricted = (access: ColumnValues): boolean =>
  access.kind === 'except' && access.values.size === 0;

/** Returns the values that both allow. */
function intersectValues(a: ColumnValues, b: ColumnValues): ColumnValues {
  if (a.kind === 'only') {
    return b.kind === 'only'
      ? { kind: 'only', values: a.values.intersection(b.values) }
      : { kind: 'only', values: a.values.difference(b.values) };
  }
  return b.kind === 'only' ? intersectValues(b, a) : { kind: 'except', values: a.values.union(b.values) };
}

/** Returns the values that at least one allows. */
function unionValues(a: ColumnValues, b: ColumnValues): ColumnValues {
  if (a.kind === 'except') {
    return b.kind === 'except'
      ? { kind: 'except', values: a.values.intersection(b.values) }
      : { kind: 'except', values: a.values.difference(b.values) };
  }
  return b.kind === 'except' ? unionValues(b, a) : { kind: 'only', values: a.values.union(b.values) };
}

/**
 * Returns the values that one rule grants (platform-facts.md, 3.2). An empty list without `allMembers` is ambiguous on
 * the platform. Here it is taken literally: an allow-list then allows no value, and a deny-list hides none.
 */
function getGrant(rule: Rule): ColumnValues {
  if (rule.allMembers === true) {
    return allColumnValues;
  }
  const values = new Set((rule.members ?? []).map(String));
  return { kind: 'exclusionary' in rule && rule.exclusionary === true ? 'except' : 'only', values };
}

const isDenyList = (access: ColumnValues): boolean => access.kind === 'except' && access.values.size > 0;
const isNoValues = (access: ColumnValues): boolean => access.kind === 'only' && access.values.size === 0;

/**
 * Combines the grants of all rules for the user, or for the user's groups; `undefined` if there are none: a rule that
 * grants no values takes precedence, allow-lists are combined, and deny-lists are subtracted (platform-facts.md, 3.3).
 * The vendor documents no difference between users and groups.
 */
function combineGrants(
  grants: readonly ColumnValues[],
  combination: QueryListCombination,
): ColumnValues | undefined {
  if (grants.length === 0) {
    return undefined;
  }
  if (grants.some(isNoValues)) {
    return noColumnValues;
  }
  const allowGrants = grants.filter((grant) => !isDenyList(grant));
  const baseGrant =
    allowGrants.length === 0
      ? allColumnValues
      : allowGrants.reduce(combination === 'union' ? unionValues : intersectValues);
  return grants.filter(isDenyList).reduce(intersectValues, baseGrant);
}

/**
 * Returns the values of one column that a party may see, from all rules on that column (platform-facts.md, 3.3;
 * rest-api.md, "Kinds of rule"). User and group rules are intersected; default rules apply only when neither exists. A
 * column without a matching rule is not restricted.
 */
export function resolveColumnAccess(
  rules: readonly Rule[],
  party: QueryParty,
  combination: QueryListCombination,
): ColumnValues {
  const groupIdSet = new Set(party.groupIds);
  const getGrants = (matches: (type: string, id: string | undefined) => boolean): ColumnValues[] =>
    rules
      .filter((rule) => (rule.shares ?? []).some((share) => matches(share.type, getPartyId(share))))
      .map(getGrant);
  const userGrant = combineGrants(
    getGrants((type, id) => type === 'user' && id !== undefined && id === party.userId),
    combination,
  );
  const groupGrant = combineGrants(
    getGrants((type, id) => type === 'group' && id !== undefined && groupIdSet.has(id)),
    combination,
  );
  if (userGrant !== undefined && groupGrant !== undefined) {
    return intersectValues(userGrant, groupGrant);
  }
  return (
    userGrant ??
    groupGrant ??
    combineGrants(
      getGrants((type) => type === 'default'),
      combination,
    ) ??
    allColumnValues
  );
}
