import type { NamedParty } from '../../security/readRule.ts';
import { compareGrants, deniesAll, type HeldRule, getPartyKey, getSpotKey } from './heldRule.ts';
import type { RuleItem } from './ruleItems.ts';
import type { RuleTarget } from './ruleTarget.ts';

/**
 * The effect of an item on what users see, whatever other rules they have: `narrows`: they never see more than before;
 * `widens`: they never see less; `shifts`: they may see more or less.
 */
export type Effect = 'narrows' | 'shifts' | 'widens';

/** The current rules on the columns of a target, indexed. */
export interface ColumnRules {
  readonly current: readonly HeldRule[];
  /** All rules, by column key. */
  readonly byColumn: ReadonlyMap<string, readonly HeldRule[]>;
  /** The rules that deny all values to a party, by {@link getColumnPartyKey}. */
  readonly denying: ReadonlyMap<string, readonly HeldRule[]>;
  /** All rules, by {@link getColumnPartyKey}. */
  readonly naming: ReadonlyMap<string, readonly HeldRule[]>;
  /** The spots of all rules. */
  readonly spots: ReadonlySet<string>;
  /** Keys of the columns that will have rules. */
  readonly wanted: ReadonlySet<string>;
}

export function indexColumnRules(current: readonly HeldRule[], { wanted }: RuleTarget): ColumnRules {
  const naming = groupByParty(current);
  return {
    current,
    byColumn: Map.groupBy(current, ({ column }) => column),
    naming,
    spots: new Set(current.map(getSpotKey)),
    denying: groupByParty(current.filter(deniesAll)),
    wanted: new Set(wanted.map(({ held }) => held.column)),
  };
}

/** Returns a key of a party on a column. */
export const getColumnPartyKey = (column: string, party: NamedParty): string =>
  `${column}${getPartyKey(party)}`;

function groupByParty(rules: readonly HeldRule[]): ReadonlyMap<string, readonly HeldRule[]> {
  const found = new Map<string, HeldRule[]>();
  for (const rule of rules) {
    for (const party of rule.parties) {
      const key = getColumnPartyKey(rule.column, party);
      const known = found.get(key);
      if (known === undefined) {
        found.set(key, [rule]);
      } else {
        known.push(rule);
      }
    }
  }
  return found;
}

/** Returns the rule that an item leads to; `undefined` for a deletion. */
export const getRuleAfter = ({ after }: RuleItem): HeldRule | undefined => after?.held;

/** Returns the parties that an item affects, each once. */
export const getParties = (item: RuleItem): readonly NamedParty[] => [
  ...new Map(
    [...(item.before?.parties ?? []), ...(getRuleAfter(item)?.parties ?? [])].map((party) => [
      getPartyKey(party),
      party,
    ]),
  ).values(),
];

/** Returns the keys of the columns that an item affects. */
export const getItemColumns = (item: RuleItem): readonly string[] => [
  ...new Set([item.before, getRuleAfter(item)].flatMap((rule) => (rule === undefined ? [] : [rule.column]))),
];

/**
 * Returns the effect of an item. Rules combine monotonically (platform-facts.md, 3.3): if a rule grants less, no one
 * sees more. A column without rules shows everything; *Nothing* takes precedence over all other rules.
 */
export function getItemEffect(item: RuleItem, { byColumn, wanted }: ColumnRules): Effect {
  const { before, beside } = item;
  const after = getRuleAfter(item);
  if (before !== undefined && after !== undefined) {
    return getSpotKey(before) === getSpotKey(after)
      ? getEffectOnSpot(before, after, beside)
      : getMoveEffect(before, after);
  }
  if (after !== undefined) {
    return deniesAll(after) || (byColumn.get(after.column) ?? []).length === 0 ? 'narrows' : 'shifts';
  }
  if (before === undefined) {
    return 'narrows';
  }
  const isLast = !wanted.has(before.column);
  if (deniesAll(before)) {
    return 'widens';
  }
  if (beside.some(deniesAll)) {
    return 'narrows';
  }
  if (isLast) {
    return 'widens';
  }
  const others = beside.map(({ grant }) => compareGrants(grant, before.grant));
  if (others.length > 0 && others.every((one) => one === 'same' || one === 'narrower')) {
    return 'narrows';
  }
  return others.length > 0 && others.every((one) => one === 'wider') ? 'widens' : 'shifts';
}

function getEffectOnSpot(before: HeldRule, after: HeldRule, beside: readonly HeldRule[]): Effect {
  if (deniesAll(before) || beside.some(deniesAll)) {
    return 'widens';
  }
  if (beside.length > 0) {
    return 'shifts';
  }
  const compared = compareGrants(after.grant, before.grant);
  return compared === 'wider' ? 'widens' : compared === 'other' ? 'shifts' : 'narrows';
}

/**
 * Returns the effect of a rule that gets other parties or another column. It may affect the old and the new parties.
 */
function getMoveEffect(before: HeldRule, after: HeldRule): Effect {
  const [was, is] = [new Set(before.parties.map(getPartyKey)), new Set(after.parties.map(getPartyKey))];
  if (deniesAll(before) && is.isSubsetOf(was)) {
    return 'widens';
  }
  return deniesAll(after) && was.isSubsetOf(is) && before.column === after.column ? 'narrows' : 'shifts';
}

/**
 * Returns whether all parties of an item currently see nothing because of another rule, so that it may change freely.
 */
export const isDenied = (item: RuleItem, { denying }: ColumnRules): boolean =>
  getItemColumns(item).every((column) =>
    getParties(item).every(
      (party) =>
        party.type !== 'default' &&
        (denying.get(getColumnPartyKey(column, party)) ?? []).some((rule) => rule !== item.before),
    ),
  );

/** Returns whether an item changes which parties have a rule, rather than what a rule grants. */
const isStructural = (item: RuleItem): boolean => {
  const after = getRuleAfter(item);
  return item.before === undefined
    ? true
    : after === undefined
      ? item.beside.length === 0
      : getSpotKey(item.before) !== getSpotKey(after);
};

/**
 * Groups items so that no user is affected by items of two groups. Different users are independent, but a user may be a
 * member of any of the user groups, and the default rule applies to everyone without another rule on the column.
 */
export function getIndependentGroups(items: readonly RuleItem[]): readonly (readonly RuleItem[])[] {
  const sets = new DisjointSets(items.length);
  const firstIndexByKey = new Map<string, number>();
  const join = (key: string, index: number): void => {
    const first = firstIndexByKey.get(key);
    if (first === undefined) {
      firstIndexByKey.set(key, index);
    } else {
      sets.join(first, index);
    }
  };
  const parties = items.map(getParties);
  const hasGroups = parties.some((some) => some.some(({ type }) => type === 'group'));
  for (const [index, some] of parties.entries()) {
    for (const party of some) {
      join(getPartyKey(party), index);
      if (hasGroups && party.type !== 'default') {
        join('named', index);
      }
    }
  }
  const isForDefault = parties.map((some) => some.some(({ type }) => type === 'default'));
  const columns = items.map(getItemColumns);
  for (const [index, item] of items.entries()) {
    if (!isForDefault[index]) {
      continue;
    }
    for (const [other, one] of items.entries()) {
      const isApart = columns[other]?.some((column) => !columns[index]?.includes(column)) === true;
      if (other !== index && (isApart || isStructural(one) || isStructural(item))) {
        sets.join(index, other);
      }
    }
  }
  return [...Map.groupBy(items.keys(), (index) => sets.findRoot(index)).values()].map((indices) =>
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
  columns: ColumnRules,
): readonly RuleItem[] | undefined {
  if (new Set(items.flatMap(getItemColumns)).size > 1) {
    return undefined;
  }
  return findBesideDefault(items) ?? findBesideUsers(items, columns);
}

/** Creates a test for items that affect only parties of one type. */
const concernsOnly =
  (type: NamedParty['type']) =>
  (item: RuleItem): boolean =>
    getParties(item).every((party) => party.type === type);

/** Returns the item to send first of two: one that changes the default rule, and one for other parties. */
function findBesideDefault(items: readonly RuleItem[]): readonly RuleItem[] | undefined {
  const [ofDefault, ...more] = items.filter(concernsOnly('default'));
  const [other, ...others] = items.filter((item) => getParties(item).every(({ type }) => type !== 'default'));
  if (ofDefault === undefined || other === undefined || more.length + others.length > 0) {
    return undefined;
  }
  const [was, is] = [other.before, getRuleAfter(other)].map(
    (rule) => new Set((rule?.parties ?? []).map(getPartyKey)),
  );
  const isSuperseded = other.after === undefined && other.beside.length > 0;
  const [doJoin, doLeave] = [is?.isSubsetOf(was ?? is) === false, was?.isSubsetOf(is ?? was) === false];
  if (doJoin && doLeave && !isSuperseded) {
    return undefined;
  }
  return doLeave && !isSuperseded ? [ofDefault] : [other];
}

/** Returns the items to send first: new rules of users, before the change of one other rule. */
function findBesideUsers(
  items: readonly RuleItem[],
  { naming }: ColumnRules,
): readonly RuleItem[] | undefined {
  const users = items.filter(concernsOnly('user'));
  const [other, ...more] = items.filter((item) => !users.includes(item));
  const named = items
    .flatMap(getParties)
    .filter(({ type }) => type === 'user')
    .map(getPartyKey);
  if (new Set(named).size < named.length || more.length > 0 || other === undefined || isStructural(other)) {
    return undefined;
  }
  if (
    !users.every(isStructural) ||
    users.some(({ before, after }) => before !== undefined && after !== undefined)
  ) {
    return undefined;
  }
  const isNamedElsewhere = users.some((item) =>
    getItemColumns(item).some((column) =>
      getParties(item).some((party) =>
        (naming.get(getColumnPartyKey(column, party)) ?? []).some((rule) => rule !== item.before),
      ),
    ),
  );
  if (isNamedElsewhere) {
    // In combination with another rule of the same user, the new rule may show more or less.
    return undefined;
  }
  const newUserItems = users.filter(({ before }) => before === undefined);
  return newUserItems.length > 0 ? newUserItems : [other];
}
