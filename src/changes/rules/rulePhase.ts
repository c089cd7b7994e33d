import { deniesAll, type HeldRule, getPartyKey, fulfills, getSpotKey } from './heldRule.ts';
import {
  getRuleAfter,
  type ColumnRules,
  indexColumnRules,
  getItemEffect,
  findFirstInOrder,
  getIndependentGroups,
  isDenied,
  getColumnPartyKey,
} from './itemOrder.ts';
import {
  getRemainingItems,
  RulesChangedError,
  RulesDifferError,
  type RuleItem,
  type RuleProgress,
} from './ruleItems.ts';
import type { RuleRequest } from './ruleRequest.ts';
import { RuleChangeRefusedError, type RuleTarget } from './ruleTarget.ts';
import { createTemporaryDenyRules, createFreezeRequest } from './temporaryDenyRules.ts';

/** The known behavior of a server; discovered while rules are changed, and remembered per connection. */
export interface RuleServerFacts {
  /** Its POST always adds a rule, and never overwrites one for exactly the same parties on the column. */
  readonly adds: boolean;
  /** It rejects a second live rule for a party on the same column (code 30003). */
  readonly refusesSecond: boolean;
  /** It can delete single extract rules, which the contract has no operation for. */
  readonly deletes: boolean;
}

/** The next requests of a rule change. */
export interface RulePhase {
  /** Creations come first, then updates, then deletions: a column is never left without a rule in between. */
  readonly requests: readonly RuleRequest[];
  /** Another user has changed other rules of these columns. */
  readonly hasOthers: boolean;
}

/**
 * Returns the requests that may be sent next, given the server's current rules; none if all rules are in their wanted
 * state. After them, the rules are read again and the next phase is computed.
 *
 * There are no transactions (platform-facts.md, 3.1), so between two requests, old and new rules coexist. The order
 * ensures that no one ever sees values that neither the old nor the new rules show:
 * 1. Changes that narrow access come first, and changes that widen it come last: before the changes in between,
 *    everyone sees at most what the old rules show, and after them, at most what the new rules show.
 * 2. In between, an item that shifts access is sent alone if no other item affects the same users, or if a safe order
 *    is known. Otherwise, temporary deny rules are created for all of them first.
 * 3. Items behind temporary deny rules may change in any order. The temporary deny rules are deleted last.
 * @throws RulesChangedError if another user has changed rules that the operation affects
 * @throws RulesDifferError if the server did not store the rules as sent
 * @throws RuleChangeRefusedError if no order is safe
 */
export function getNextPhase(
  current: readonly HeldRule[],
  target: RuleTarget,
  progress: RuleProgress,
  facts: RuleServerFacts,
): RulePhase {
  const { items, hasOthers } = getRemainingItems(current, target, progress);
  const columns = indexColumnRules(current, target);
  const byEffect = Map.groupBy(items, (item) => {
    const effect = getItemEffect(item, columns);
    return effect === 'shifts' && isDenied(item, columns) ? 'denied' : effect;
  });
  const first = [...(byEffect.get('narrows') ?? []), ...(byEffect.get('denied') ?? [])];
  const shifting = byEffect.get('shifts') ?? [];
  const phase = (requests: readonly RuleRequest[]): RulePhase => ({
    requests: sortRequests(dedupeBySpot(requests)),
    hasOthers,
  });
  const send = (some: readonly RuleItem[]): RulePhase =>
    phase(some.map((item) => toRequest(item, target.kind)));
  const blocked = facts.refusesSecond && target.kind === 'live' ? getBlockedItems(items, columns) : [];
  const blockedNow = new Set(blocked);
  const free = pickOnePerKey(first.filter((item) => !blockedNow.has(item)));
  if (free.length > 0) {
    return send(free);
  }
  if (blocked.length > 0) {
    return phase(getUnblockingRequests(blocked, items, { columns, target, made: progress.made }));
  }
  if (shifting.length > 0) {
    return phase(getShiftingRequests(shifting, { columns, target, facts }));
  }
  return send(byEffect.get('widens') ?? []);
}

/** Returns the requests for items that shift access: see {@link getNextPhase}, step 2. */
function getShiftingRequests(
  items: readonly RuleItem[],
  known: { readonly columns: ColumnRules; readonly target: RuleTarget; readonly facts: RuleServerFacts },
): readonly RuleRequest[] {
  const { columns, target, facts } = known;
  return getIndependentGroups(items).flatMap((group) => {
    const some = group.length === 1 ? group : findFirstInOrder(group, columns);
    if (some !== undefined) {
      return some.map((item) => toRequest(item, target.kind));
    }
    const denials = createTemporaryDenyRules(group, columns, { target, canDelete: facts.deletes });
    if (denials.length === 0) {
      throw new RulesDifferError();
    }
    return denials;
  });
}

function toRequest({ before, after }: RuleItem, kind: RuleTarget['kind']): RuleRequest {
  if (after !== undefined) {
    const { rule } = after.held;
    return kind === 'extract' && before !== undefined
      ? { kind: 'update', id: before.id, rule: { ...rule, _id: before.id }, wanted: after }
      : { kind: 'create', rule, wanted: after };
  }
  if (before === undefined || before.id === '') {
    throw new RuleChangeRefusedError('no-identifier', before?.rule ?? {});
  }
  return { kind: 'delete', id: before.id, rule: before };
}

/**
 * Keeps only one deletion per spot; the others wait for the next phase. Deleting a rule may be safe only because a
 * duplicate remains, so duplicates must not be deleted at the same time.
 */
function pickOnePerKey(items: readonly RuleItem[]): readonly RuleItem[] {
  const going = new Set<string>();
  return items.filter(({ before, after, beside }) => {
    if (before === undefined || after !== undefined || beside.length === 0 || beside.some(deniesAll)) {
      return true;
    }
    const spot = getSpotKey(before);
    const isFirst = !going.has(spot);
    going.add(spot);
    return isFirst;
  });
}

/** Removes duplicate temporary deny rules: one is enough for all rules on a spot. */
function dedupeBySpot(requests: readonly RuleRequest[]): readonly RuleRequest[] {
  const denied = new Set<string>();
  return requests.filter((request) => {
    if (request.kind !== 'create' || request.temporary === undefined) {
      return true;
    }
    const isFirst = !denied.has(request.temporary);
    denied.add(request.temporary);
    return isFirst;
  });
}

const kinds: readonly RuleRequest['kind'][] = ['create', 'update', 'delete'];

/** Sorts requests by kind, and deletes the default rule last: a live one can't be deleted before the others (30006). */
function sortRequests(requests: readonly RuleRequest[]): readonly RuleRequest[] {
  const isLate = (request: RuleRequest): number =>
    request.kind === 'delete' && request.rule.parties.some(({ type }) => type === 'default') ? 1 : 0;
  return requests.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || isLate(a) - isLate(b));
}

/** Returns items whose new rule has a party that another rule of the column currently has. */
const getBlockedItems = (items: readonly RuleItem[], columns: ColumnRules): readonly RuleItem[] =>
  items.filter((item) => getBlockers(item, columns).length > 0);

/** Returns the current rules that have a party of the new rule on the same column. */
function getBlockers({ after }: RuleItem, { naming, spots }: ColumnRules): readonly HeldRule[] {
  if (after === undefined || spots.has(getSpotKey(after.held))) {
    return [];
  }
  const { column, parties } = after.held;
  return [...new Set(parties.flatMap((party) => naming.get(getColumnPartyKey(column, party)) ?? []))];
}

/**
 * Returns the requests that unblock new rules on a server that allows each party in only one rule of a column: there,
 * the old rules must be deleted first. In the meantime, their parties fall back to the rules of their groups and the
 * default rule. These are denied in place first and restored last. Without a default rule, the column would be
 * unprotected.
 * @throws RuleChangeRefusedError if the change is not possible on such a server
 * @throws RulesChangedError if a rule to deny in place belongs to another user: it could not be restored
 */
function getUnblockingRequests(
  blocked: readonly RuleItem[],
  items: readonly RuleItem[],
  {
    columns,
    target,
    made,
  }: {
    readonly columns: ColumnRules;
    readonly target: RuleTarget;
    readonly made: RuleProgress['made'];
  },
): readonly RuleRequest[] {
  const going = new Set(items.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : [])));
  const blockers = new Set(blocked.flatMap((item) => getBlockers(item, columns)));
  for (const rule of blockers) {
    if (!going.has(rule)) {
      throw new RuleChangeRefusedError('party-twice', rule.rule);
    }
  }
  checkEachPartyOnce(target);
  const concerned = new Set([...blockers].map(({ column }) => column));
  const wanted = Map.groupBy(target.wanted, ({ held }) => getSpotKey(held));
  const requests: RuleRequest[] = [];
  for (const column of concerned) {
    const standing = (columns.byColumn.get(column) ?? []).filter((rule) => !blockers.has(rule));
    // If the rule of a group is deleted, its members may see more by their own rules too.
    const isGrouped = [...blockers].some(({ parties }) => parties.some(({ type }) => type === 'group'));
    const behind = standing.filter(({ parties }) => isGrouped || parties.some(({ type }) => type !== 'user'));
    if (!behind.some(({ parties }) => parties.some(({ type }) => type === 'default'))) {
      throw new RuleChangeRefusedError(
        'needs-default',
        getRuleAfter(blocked[0] ?? { beside: [] })?.rule ?? {},
      );
    }
    // Deleting several blockers one after the other would widen access in between, so they are denied in place too.
    const inTheWay = [...blockers].filter((rule) => blockers.size > 1 && rule.column === column);
    // Spots that already have a deny rule; on a server that always adds, the denied rule remains beside it.
    const frozen = new Set((columns.byColumn.get(column) ?? []).filter(deniesAll).map(getSpotKey));
    const frozenNow = [...behind, ...inTheWay].filter((rule) => !frozen.has(getSpotKey(rule)));
    const others = frozenNow.find((rule) => !isOwn(rule, { target, wanted, made }));
    if (others !== undefined) {
      throw new RulesChangedError(others);
    }
    requests.push(...frozenNow.map(createFreezeRequest));
  }
  return requests.length > 0
    ? requests
    : [...blockers].map((rule) => toRequest({ before: rule, beside: [] }, target.kind));
}

/** Returns whether a rule existed before the operation, is wanted by it, or was created by it. */
const isOwn = (
  rule: HeldRule,
  {
    target,
    wanted,
    made,
  }: {
    readonly target: RuleTarget;
    readonly wanted: ReadonlyMap<string, RuleTarget['wanted']>;
    readonly made: RuleProgress['made'];
  },
): boolean =>
  target.previousById.has(rule.id) ||
  made?.has(rule.id) === true ||
  (wanted.get(getSpotKey(rule)) ?? []).some(({ held }) => fulfills(rule, held));

/** @throws RuleChangeRefusedError if the wanted rules name a party in two rules of a column */
function checkEachPartyOnce({ wanted }: RuleTarget): void {
  const seen = new Set<string>();
  for (const { held } of wanted) {
    for (const party of new Set(held.parties.map(getPartyKey))) {
      const key = `${held.column} ${party}`;
      if (seen.has(key)) {
        throw new RuleChangeRefusedError('party-twice', held.rule);
      }
      seen.add(key);
    }
  }
}
