import { partyOf, type Rule } from '../../contract/rule.ts';

/** Someone who asks: a user and the groups that the user is in. */
export interface Party {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** How several allow-lists of one person combine; the platform's words support both (facts 3.3). */
export type GroupCombination = 'union' | 'intersection';

/** The values of one column that a party may see: exactly these, or all but these. */
export interface Access {
  readonly kind: 'only' | 'except';
  readonly values: ReadonlySet<string>;
}

const everything: Access = { kind: 'except', values: new Set() };
const nothing: Access = { kind: 'only', values: new Set() };

export const isUnrestricted = (access: Access): boolean =>
  access.kind === 'except' && access.values.size === 0;

/** What both allow. */
function both(a: Access, b: Access): Access {
  if (a.kind === 'only') {
    return b.kind === 'only'
      ? { kind: 'only', values: a.values.intersection(b.values) }
      : { kind: 'only', values: a.values.difference(b.values) };
  }
  return b.kind === 'only' ? both(b, a) : { kind: 'except', values: a.values.union(b.values) };
}

/** What at least one allows. */
function either(a: Access, b: Access): Access {
  if (a.kind === 'except') {
    return b.kind === 'except'
      ? { kind: 'except', values: a.values.intersection(b.values) }
      : { kind: 'except', values: a.values.difference(b.values) };
  }
  return b.kind === 'except' ? either(b, a) : { kind: 'only', values: a.values.union(b.values) };
}

/**
 * What one rule grants (platform-facts 3.2). An empty list without `allMembers` is ambiguous on the platform; here
 * it is taken as written: no value is listed, so none is allowed and none is hidden.
 */
function grantOf(rule: Rule): Access {
  if (rule.allMembers === true) {
    return everything;
  }
  const values = new Set((rule.members ?? []).map(String));
  return { kind: 'exclusionary' in rule && rule.exclusionary === true ? 'except' : 'only', values };
}

const isBlock = (access: Access): boolean => access.kind === 'except' && access.values.size > 0;
const isNothing = (access: Access): boolean => access.kind === 'only' && access.values.size === 0;

/**
 * Several rules for one level (the user, the groups): Nothing wins, lists combine, blocks are taken off (facts 3.3).
 * The vendor's sentence on how they combine does not tell users from groups.
 */
function combined(grants: readonly Access[], combination: GroupCombination): Access | undefined {
  if (grants.length === 0) {
    return undefined;
  }
  if (grants.some(isNothing)) {
    return nothing;
  }
  const allowed = grants.filter((grant) => !isBlock(grant));
  const start = allowed.length === 0 ? everything : allowed.reduce(combination === 'union' ? either : both);
  return grants.filter(isBlock).reduce(both, start);
}

/**
 * What a party may see of one column, from all rules on that column (platform-facts 3.3; spec, "Kinds of rule"):
 * the narrower of user and group rules; the default only when neither exists; a column whose rules name neither the
 * party nor a default does not restrict it.
 */
export function columnAccess(rules: readonly Rule[], party: Party, combination: GroupCombination): Access {
  const groups = new Set(party.groupIds);
  const grantsOf = (matches: (type: string, id: string | undefined) => boolean): Access[] =>
    rules
      .filter((rule) => (rule.shares ?? []).some((share) => matches(share.type, partyOf(share))))
      .map(grantOf);
  const user = combined(
    grantsOf((type, id) => type === 'user' && id !== undefined && id === party.userId),
    combination,
  );
  const group = combined(
    grantsOf((type, id) => type === 'group' && id !== undefined && groups.has(id)),
    combination,
  );
  if (user !== undefined && group !== undefined) {
    return both(user, group);
  }
  return (
    user ??
    group ??
    combined(
      grantsOf((type) => type === 'default'),
      combination,
    ) ??
    everything
  );
}
