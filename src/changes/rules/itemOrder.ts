import type { PartyRef } from '../../security/readRules.ts';
import {
  compareGrants,
  deniesAll,
  type ParsedRuleDocument,
  getPartyKey,
  getScopeKey,
} from './parsedRuleDocument.ts';
import type { RuleItem } from './ruleItems.ts';
import type { RuleTarget } from './ruleTarget.ts';

/**
 * The effect of an item on what users see, whatever other rules they have: `narrows`: they never see more than before;
 * `widens`: they never see less; `shifts`: they may see more or less.
 */
export type ItemEffect = 'narrows' | 'shifts' | 'widens';

/** The current rules on the columns of a target, indexed. */
export interface ColumnRules {
  readonly current: readonly ParsedRuleDocument[];
  /** All rules, by column key. */
  readonly byColumn: ReadonlyMap<string, readonly ParsedRuleDocument[]>;
  /** The rules that deny all values to a party, by {@link getColumnPartyKey}. */
  readonly denyRules: ReadonlyMap<string, readonly ParsedRuleDocument[]>;
  /** All rules, by {@link getColumnPartyKey}. */
  readonly rulesByParty: ReadonlyMap<string, readonly ParsedRuleDocument[]>;
  /** The scopes of all rules. */
  readonly scopes: ReadonlySet<string>;
  /** Keys of the columns that will have rules. */
  readonly wantedColumns: ReadonlySet<string>;
}

export function indexColumnRules(
  current: readonly ParsedRuleDocument[],
  { wantedRules }: RuleTarget,
): ColumnRules {
  const rulesByParty = groupByParty(current);
  return {
    current,
    byColumn: Map.groupBy(current, ({ columnKey }) => columnKey),
    rulesByParty,
    scopes: new Set(current.map(getScopeKey)),
    denyRules: groupByParty(current.filter(deniesAll)),
    wantedColumns: new Set(wantedRules.map(({ parsed }) => parsed.columnKey)),
  };
}

/** Returns a key of a party on a column. */
export const getColumnPartyKey = (column: string, party: PartyRef): string =>
  `${column}${getPartyKey(party)}`;

function groupByParty(
  rules: readonly ParsedRuleDocument[],
): ReadonlyMap<string, readonly ParsedRuleDocument[]> {
  const groups = new Map<string, ParsedRuleDocument[]>();
  for (const rule of rules) {
    for (const party of rule.parties) {
      const key = getColumnPartyKey(rule.columnKey, party);
      groups.set(key, groups.get(key) ?? []);
      groups.get(key)?.push(rule);
    }
  }
  return groups;
}

/** Returns the rule that an item leads to; `undefined` for a deletion. */
export const getParsedRuleAfter = ({ after }: RuleItem): ParsedRuleDocument | undefined => after?.parsed;

/** Returns the parties that an item affects, each once. */
export const getItemParties = (item: RuleItem): readonly PartyRef[] => [
  ...new Map(
    [...(item.before?.parties ?? []), ...(getParsedRuleAfter(item)?.parties ?? [])].map((party) => [
      getPartyKey(party),
      party,
    ]),
  ).values(),
];

/** Returns the keys of the columns that an item affects. */
export const getItemColumns = (item: RuleItem): readonly string[] => [
  ...new Set(
    [item.before, getParsedRuleAfter(item)].flatMap((rule) => (rule === undefined ? [] : [rule.columnKey])),
  ),
];

/**
 * Returns the effect of an item. Rules combine monotonically (platform-facts.md, 3.3): if a rule grants less, no one
 * sees more. A column without rules shows everything; a rule that grants no values takes precedence over all
 * others.
 */
export function getItemEffect(item: RuleItem, { byColumn, wantedColumns }: ColumnRules): ItemEffect {
  const { before, sameScopeRules } = item;
  const after = getParsedRuleAfter(item);
  if (before !== undefined && after !== undefined) {
    return getScopeKey(before) === getScopeKey(after)
      ? getEffectInScope(before, after, sameScopeRules)
      : getMoveEffect(before, after);
  }
  if (after !== undefined) {
    return deniesAll(after) || (byColumn.get(after.columnKey) ?? []).length === 0 ? 'narrows' : 'shifts';
  }
  if (before === undefined) {
    return 'narrows';
  }
  const leavesNoRules = !wantedColumns.has(before.columnKey);
  if (deniesAll(before)) {
    return 'widens';
  }
  if (sameScopeRules.some(deniesAll)) {
    return 'narrows';
  }
  if (leavesNoRules) {
    return 'widens';
  }
  const comparisons = sameScopeRules.map(({ grant }) => compareGrants(grant, before.grant));
  if (
    comparisons.length > 0 &&
    comparisons.every((comparison) => comparison === 'same' || comparison === 'narrower')
  ) {
    return 'narrows';
  }
  return comparisons.length > 0 && comparisons.every((comparison) => comparison === 'wider')
    ? 'widens'
    : 'shifts';
}

function getEffectInScope(
  before: ParsedRuleDocument,
  after: ParsedRuleDocument,
  duplicates: readonly ParsedRuleDocument[],
): ItemEffect {
  if (deniesAll(before) || duplicates.some(deniesAll)) {
    return 'widens';
  }
  if (duplicates.length > 0) {
    return 'shifts';
  }
  const comparison = compareGrants(after.grant, before.grant);
  return comparison === 'wider' ? 'widens' : comparison === 'other' ? 'shifts' : 'narrows';
}

/**
 * Returns the effect of a rule that gets other parties or another column. It may affect the old and the new parties.
 */
function getMoveEffect(before: ParsedRuleDocument, after: ParsedRuleDocument): ItemEffect {
  const [oldPartyKeys, newPartyKeys] = [
    new Set(before.parties.map(getPartyKey)),
    new Set(after.parties.map(getPartyKey)),
  ];
  if (deniesAll(before) && newPartyKeys.isSubsetOf(oldPartyKeys)) {
    return 'widens';
  }
  return deniesAll(after) && oldPartyKeys.isSubsetOf(newPartyKeys) && before.columnKey === after.columnKey
    ? 'narrows'
    : 'shifts';
}

/**
 * Returns whether all parties of an item currently see nothing because of another rule, so that it may change freely.
 */
export const isDenied = (item: RuleItem, { denyRules }: ColumnRules): boolean =>
  getItemColumns(item).every((column) =>
    getItemParties(item).every(
      (party) =>
        party.type !== 'default' &&
        (denyRules.get(getColumnPartyKey(column, party)) ?? []).some((rule) => rule !== item.before),
    ),
  );

/** Returns whether an item changes which parties have a rule, rather than what a rule grants. */
const changesWhoHasRules = (item: RuleItem): boolean => {
  const after = getParsedRuleAfter(item);
  return item.before === undefined
    ? true
    : after === undefined
      ? item.sameScopeRules.length === 0
      : getScopeKey(item.before) !== getScopeKey(after);
};

/**
 * Groups items so that no user is affected by items of two groups. Different users are independent, but a user may be a
 * member of any of the user groups, and the default rule applies to everyone without another rule on the column.
 */
export function getIndependentGroups(items: readonly RuleItem[]): readonly (readonly RuleItem[])[] {
  const disjointSets = new DisjointSets(items.length);
  const firstIndexByKey = new Map<string, number>();
  const join = (key: string, index: number): void => {
    const firstIndex = firstIndexByKey.get(key);
    if (firstIndex === undefined) {
      firstIndexByKey.set(key, index);
    } else {
      disjointSets.join(firstIndex, index);
    }
  };
  const parties = items.map(getItemParties);
  const hasGroups = parties.some((itemParties) => itemParties.some(({ type }) => type === 'group'));
  for (const [index, itemParties] of parties.entries()) {
    for (const party of itemParties) {
      join(getPartyKey(party), index);
      if (hasGroups && party.type !== 'default') {
        join('named', index);
      }
    }
  }
  const isForDefault = parties.map((itemParties) => itemParties.some(({ type }) => type === 'default'));
  const columns = items.map(getItemColumns);
  for (const [index, item] of items.entries()) {
    if (!isForDefault[index]) {
      continue;
    }
    for (const [otherIndex, otherItem] of items.entries()) {
      const hasOtherColumns =
        columns[otherIndex]?.some((column) => !columns[index]?.includes(column)) === true;
      if (hasOtherColumns || changesWhoHasRules(otherItem) || changesWhoHasRules(item)) {
        disjointSets.join(index, otherIndex);
      }
    }
  }
  return [...Map.groupBy(items.keys(), (index) => disjointSets.findRoot(index)).values()].map((indices) =>
    indices.flatMap((index) => items[index] ?? []),
  );
}

/** A union-find structure over indices. */
class DisjointSets {
  readonly #parents: number[];

  constructor(size: number) {
    this.#parents = Array.from({ length: size }, (_none, index) => index);
  }

  findRoot(index: number): number {
    let root = index;
    while (this.#parents[root] !== root) {
      const next = this.#parents[root] ?? root;
      this.#parents[root] = this.#parents[next] ?? next;
      root = next;
    }
    return root;
  }

  join(a: number, b: number): void {
    this.#parents[this.findRoot(a)] = this.findRoot(b);
  }
}

/**
 * Returns the items of a group to send first, if a known order needs no temporary deny rules; otherwise `undefined`.
 * - With the default rule: a party gets its new rule before the default rule changes, and loses its old rule after
 *   that.
 * - With the rule of a user group: users get their own rules before it changes, and lose them after that, since a
 *   user's only own rule narrows what the group's rule shows.
 */
export function findFirstInOrder(
  items: readonly RuleItem[],
  columnRules: ColumnRules,
): readonly RuleItem[] | undefined {
  if (new Set(items.flatMap(getItemColumns)).size > 1) {
    return undefined;
  }
  return findFirstWithDefaultRule(items) ?? findFirstWithUserRules(items, columnRules);
}

/** Creates a predicate for items that affect only parties of one type. */
const affectsOnly =
  (type: PartyRef['type']) =>
  (item: RuleItem): boolean =>
    getItemParties(item).every((party) => party.type === type);

/** Returns the item to send first of two: one that changes the default rule, and one for other parties. */
function findFirstWithDefaultRule(items: readonly RuleItem[]): readonly RuleItem[] | undefined {
  const [defaultItem, ...otherDefaults] = items.filter(affectsOnly('default'));
  const [partyItem, ...otherPartyItems] = items.filter((item) =>
    getItemParties(item).every(({ type }) => type !== 'default'),
  );
  if (
    defaultItem === undefined ||
    partyItem === undefined ||
    otherDefaults.length + otherPartyItems.length > 0
  ) {
    return undefined;
  }
  const [oldPartyKeys, newPartyKeys] = [partyItem.before, getParsedRuleAfter(partyItem)].map(
    (rule) => new Set((rule?.parties ?? []).map(getPartyKey)),
  );
  const isSuperseded = partyItem.after === undefined && partyItem.sameScopeRules.length > 0;
  const [addsParties, removesParties] = [
    newPartyKeys?.isSubsetOf(oldPartyKeys ?? newPartyKeys) === false,
    oldPartyKeys?.isSubsetOf(newPartyKeys ?? oldPartyKeys) === false,
  ];
  if (addsParties && removesParties && !isSuperseded) {
    return undefined;
  }
  return removesParties && !isSuperseded ? [defaultItem] : [partyItem];
}

/** Returns the items to send first: new rules of users, before the change of one other rule. */
function findFirstWithUserRules(
  items: readonly RuleItem[],
  { rulesByParty }: ColumnRules,
): readonly RuleItem[] | undefined {
  const userItems = items.filter(affectsOnly('user'));
  const [otherItem, ...furtherItems] = items.filter((item) => !userItems.includes(item));
  const userKeys = items
    .flatMap(getItemParties)
    .filter(({ type }) => type === 'user')
    .map(getPartyKey);
  if (
    new Set(userKeys).size < userKeys.length ||
    furtherItems.length > 0 ||
    otherItem === undefined ||
    changesWhoHasRules(otherItem)
  ) {
    return undefined;
  }
  if (userItems.some(({ before, after }) => before !== undefined && after !== undefined)) {
    return undefined;
  }
  const hasOtherUserRule = userItems.some((item) =>
    getItemColumns(item).some((column) =>
      getItemParties(item).some((party) =>
        (rulesByParty.get(getColumnPartyKey(column, party)) ?? []).some((rule) => rule !== item.before),
      ),
    ),
  );
  if (hasOtherUserRule) {
    // In combination with another rule of the same user, the new rule may show more or less.
    return undefined;
  }
  const newUserItems = userItems.filter(({ before }) => before === undefined);
  return newUserItems.length > 0 ? newUserItems : [otherItem];
}
