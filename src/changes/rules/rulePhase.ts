import {
  deniesAll,
  type ParsedRuleDocument,
  getPartyKey,
  fulfills,
  getScopeKey,
} from './parsedRuleDocument.ts';
import {
  getParsedRuleAfter,
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
import { createTemporaryDenyRequests, createDenyInScopeRequest } from './temporaryDenyRules.ts';

/**
 * The known behavior of a server when rules are changed. It is discovered while rules are changed, and remembered per
 * connection, except for `alwaysAdds`, which the rules show each time.
 */
export interface RuleEndpointBehavior {
  /** Its POST always adds a rule, and never overwrites one for exactly the same parties on the column. */
  readonly alwaysAdds: boolean;
  /** It rejects a second live rule for a party on the same column (code 30003). */
  readonly rejectsSecondRule: boolean;
  /** It can delete single extract rules, which the vendor's contract has no operation for. */
  readonly canDeleteSingleRules: boolean;
}

/** The next requests of a rule change. */
export interface RulePhase {
  /**
   * In any order: creations are sent first, then updates, then deletions, so that a column is never left without a rule
   * in between.
   */
  readonly requests: readonly RuleRequest[];
  /** Another user has changed other rules of these columns. */
  readonly hasConcurrentChanges: boolean;
}

/**
 * Returns the requests that may be sent next, given the server's current rules; none if all rules are in their wanted
 * state. After them, the rules are read again and the next phase is computed.
 *
 * There are no transactions (platform-facts.md, 3.1), so between two requests, old and new rules coexist. The order
 * ensures that no one ever sees values that neither the old nor the new rules show:
 * 1. Changes that narrow access come first, and changes that widen it come last: before the changes in between,
 *    everyone sees at most what the old rules show, and after them, at most what the new rules show.
 * 2. In between, an item that both narrows and widens access is sent alone if no other item affects the same users, or
 *    if a safe order is known. Otherwise, temporary deny rules are created for all of them first.
 * 3. Items behind temporary deny rules may change in any order. The temporary deny rules are deleted last.
 * @throws RulesChangedError if another user has changed rules that the operation affects
 * @throws RulesDifferError if the server did not store the rules as sent
 * @throws RuleChangeRefusedError if no order is safe
 */
export function getNextPhase(
  current: readonly ParsedRuleDocument[],
  target: RuleTarget,
  progress: RuleProgress,
  behavior: RuleEndpointBehavior,
): RulePhase {
  const { items, hasConcurrentChanges } = getRemainingItems(current, target, progress);
  const columnRules = indexColumnRules(current, target);
  const byEffect = Map.groupBy(items, (item) => {
    const effect = getItemEffect(item, columnRules);
    return effect === 'shifts' && isDenied(item, columnRules) ? 'denied' : effect;
  });
  const earlyItems = [...(byEffect.get('narrows') ?? []), ...(byEffect.get('denied') ?? [])];
  const shiftingItems = byEffect.get('shifts') ?? [];
  const createPhase = (requests: readonly RuleRequest[]): RulePhase => ({
    requests: removeDuplicateDenyRules(requests),
    hasConcurrentChanges,
  });
  const createItemPhase = (itemsToSend: readonly RuleItem[]): RulePhase =>
    createPhase(itemsToSend.map((item) => toRequest(item, target.kind)));
  const blockedItems =
    behavior.rejectsSecondRule && target.kind === 'live' ? getBlockedItems(items, columnRules) : [];
  const blockedSet = new Set(blockedItems);
  const readyItems = deferDuplicateDeletions(earlyItems.filter((item) => !blockedSet.has(item)));
  if (readyItems.length > 0) {
    return createItemPhase(readyItems);
  }
  if (blockedItems.length > 0) {
    return createPhase(
      getUnblockingRequests(blockedItems, items, { columnRules, target, createdIds: progress.createdIds }),
    );
  }
  if (shiftingItems.length > 0) {
    return createPhase(getShiftingRequests(shiftingItems, { columnRules, target, behavior }));
  }
  return createItemPhase(byEffect.get('widens') ?? []);
}

/** Returns the requests for items that shift access: see {@link getNextPhase}, step 2. */
function getShiftingRequests(
  items: readonly RuleItem[],
  context: {
    readonly columnRules: ColumnRules;
    readonly target: RuleTarget;
    readonly behavior: RuleEndpointBehavior;
  },
): readonly RuleRequest[] {
  const { columnRules, target, behavior } = context;
  return getIndependentGroups(items).flatMap((group) => {
    const firstItems = group.length === 1 ? group : findFirstInOrder(group, columnRules);
    if (firstItems !== undefined) {
      return firstItems.map((item) => toRequest(item, target.kind));
    }
    const denyRequests = createTemporaryDenyRequests(group, columnRules, {
      target,
      canDelete: behavior.canDeleteSingleRules,
    });
    if (denyRequests.length === 0) {
      throw new RulesDifferError();
    }
    return denyRequests;
  });
}

function toRequest({ before, after }: RuleItem, kind: RuleTarget['kind']): RuleRequest {
  if (after !== undefined) {
    const { document } = after.parsed;
    return kind === 'extract' && before !== undefined
      ? { kind: 'update', id: before.id, rule: { ...document, _id: before.id }, wanted: after }
      : { kind: 'create', rule: document, wanted: after };
  }
  if (before === undefined || before.id === '') {
    throw new RuleChangeRefusedError('no-identifier', before?.document ?? {});
  }
  return { kind: 'delete', id: before.id, rule: before };
}

/**
 * Keeps only one deletion per scope; the others wait for the next phase. Deleting a rule may be safe only because a
 * duplicate remains, so duplicates must not be deleted at the same time.
 */
function deferDuplicateDeletions(items: readonly RuleItem[]): readonly RuleItem[] {
  const deletedScopes = new Set<string>();
  return items.filter(({ before, after, sameScopeRules }) => {
    if (
      before === undefined ||
      after !== undefined ||
      sameScopeRules.length === 0 ||
      sameScopeRules.some(deniesAll)
    ) {
      return true;
    }
    const scope = getScopeKey(before);
    const isFirst = !deletedScopes.has(scope);
    deletedScopes.add(scope);
    return isFirst;
  });
}

/** Removes duplicate temporary deny rules: one is enough for all rules in a scope. */
function removeDuplicateDenyRules(requests: readonly RuleRequest[]): readonly RuleRequest[] {
  const denyScopes = new Set<string>();
  return requests.filter((request) => {
    if (request.kind !== 'create' || request.denyScope === undefined) {
      return true;
    }
    const isFirst = !denyScopes.has(request.denyScope);
    denyScopes.add(request.denyScope);
    return isFirst;
  });
}

/** Returns items whose new rule has a party that another rule of the column currently has. */
const getBlockedItems = (items: readonly RuleItem[], columnRules: ColumnRules): readonly RuleItem[] =>
  items.filter((item) => getBlockers(item, columnRules).length > 0);

/**
 * Returns the current rules that have a party of the new rule on the same column; none if one has exactly its parties,
 * since the new rule may overwrite that one.
 */
function getBlockers(
  { after }: RuleItem,
  { rulesByParty, scopes }: ColumnRules,
): readonly ParsedRuleDocument[] {
  if (after === undefined || scopes.has(getScopeKey(after.parsed))) {
    return [];
  }
  const { columnKey, parties } = after.parsed;
  return [
    ...new Set(parties.flatMap((party) => rulesByParty.get(getColumnPartyKey(columnKey, party)) ?? [])),
  ];
}

/**
 * Returns the requests that unblock new rules on a server that allows each party in only one rule of a column: there,
 * the old rules must be deleted first. In the meantime, their parties fall back to the rules of their groups and the
 * default rule. These are denied first and restored last. Without a default rule, the column would be
 * unprotected.
 * @throws RuleChangeRefusedError if the change is not possible on such a server
 * @throws RulesChangedError if a rule to deny was added or changed by another user: it could not be restored
 */
function getUnblockingRequests(
  blockedItems: readonly RuleItem[],
  items: readonly RuleItem[],
  {
    columnRules,
    target,
    createdIds,
  }: {
    readonly columnRules: ColumnRules;
    readonly target: RuleTarget;
    readonly createdIds: RuleProgress['createdIds'];
  },
): readonly RuleRequest[] {
  const deletedRules = new Set(
    items.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : [])),
  );
  const blockers = new Set(blockedItems.flatMap((item) => getBlockers(item, columnRules)));
  for (const rule of blockers) {
    if (!deletedRules.has(rule)) {
      throw new RuleChangeRefusedError('party-twice', rule.document);
    }
  }
  checkPartiesAreUnique(target);
  const columnKeys = new Set([...blockers].map(({ columnKey }) => columnKey));
  const wantedByScope = Map.groupBy(target.wantedRules, ({ parsed }) => getScopeKey(parsed));
  const requests: RuleRequest[] = [];
  for (const columnKey of columnKeys) {
    const remainingRules = (columnRules.byColumn.get(columnKey) ?? []).filter((rule) => !blockers.has(rule));
    // If the rule of a group is deleted, its members may see more by their own rules too.
    const hasGroupBlocker = [...blockers].some(({ parties }) => parties.some(({ type }) => type === 'group'));
    const fallbackRules = remainingRules.filter(
      ({ parties }) => hasGroupBlocker || parties.some(({ type }) => type !== 'user'),
    );
    if (!fallbackRules.some(({ parties }) => parties.some(({ type }) => type === 'default'))) {
      const blockedRule = blockedItems
        .map((item) => getParsedRuleAfter(item))
        .find((rule) => rule?.columnKey === columnKey);
      throw new RuleChangeRefusedError('needs-default', blockedRule?.document ?? {});
    }
    // Deleting several blockers one after the other would widen access in between, so they are denied too.
    const blockersOfColumn = [...blockers].filter(
      (rule) => blockers.size > 1 && rule.columnKey === columnKey,
    );
    // Scopes that already have a deny rule. On a server that always adds rules, the original rule stays next to it.
    const deniedScopes = new Set(
      (columnRules.byColumn.get(columnKey) ?? []).filter(deniesAll).map(getScopeKey),
    );
    const rulesToDeny = [...fallbackRules, ...blockersOfColumn].filter(
      (rule) => !deniedScopes.has(getScopeKey(rule)),
    );
    const ruleOfOtherUser = rulesToDeny.find(
      (rule) => !belongsToOperation(rule, { target, wantedByScope, createdIds }),
    );
    if (ruleOfOtherUser !== undefined) {
      throw new RulesChangedError(ruleOfOtherUser);
    }
    requests.push(...rulesToDeny.map(createDenyInScopeRequest));
  }
  return requests.length > 0
    ? requests
    : [...blockers].map((rule) => toRequest({ before: rule, sameScopeRules: [] }, target.kind));
}

/** Returns whether a rule existed before the operation, is wanted by it, or was created by it. */
const belongsToOperation = (
  rule: ParsedRuleDocument,
  {
    target,
    wantedByScope,
    createdIds,
  }: {
    readonly target: RuleTarget;
    readonly wantedByScope: ReadonlyMap<string, RuleTarget['wantedRules']>;
    readonly createdIds: RuleProgress['createdIds'];
  },
): boolean =>
  target.previousById.has(rule.id) ||
  createdIds?.has(rule.id) === true ||
  (wantedByScope.get(getScopeKey(rule)) ?? []).some(({ parsed }) => fulfills(rule, parsed));

/** @throws RuleChangeRefusedError if the wanted rules name a party in two rules of a column */
function checkPartiesAreUnique({ wantedRules }: RuleTarget): void {
  const seenKeys = new Set<string>();
  for (const { parsed } of wantedRules) {
    for (const party of new Set(parsed.parties.map(getPartyKey))) {
      const key = `${parsed.columnKey} ${party}`;
      if (seenKeys.has(key)) {
        throw new RuleChangeRefusedError('party-twice', parsed.document);
      }
      seenKeys.add(key);
    }
  }
}
