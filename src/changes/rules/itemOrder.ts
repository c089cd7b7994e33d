import type { NamedParty } from '../../security/readRule.ts';
import { compareGrants, deniesAll, type HeldRule, getPartyKey, getSpotKey } from './heldRule.ts';
import type { RuleItem } from './ruleItems.ts';
import type { RuleTarget } from './ruleTarget.ts';

/**
 * The effect of an item on what people see, whatever other rules they have: `narrows` it never shows more than before,
 * `widens` it never shows less, `shifts` it may do both.
 */
export type Effect = 'narrows' | 'shifts' | 'widens';

/** The rules that the server has on the columns of a target. */
export interface ColumnRules {
  readonly current: readonly HeldRule[];
  readonly byColumn: ReadonlyMap<string, readonly HeldRule[]>;
  /** The rules that deny a party on a column, by column and party. */
  readonly denying: ReadonlyMap<string, readonly HeldRule[]>;
  /** The rules that name a party on a column, by column and party. */
  readonly naming: ReadonlyMap<string, readonly HeldRule[]>;
  readonly spots: ReadonlySet<string>;
  /** Columns that will have rules. */
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

/** Returns the columns that an item affects. */
export const getItemColumns = (item: RuleItem): readonly string[] => [
  ...new Set([item.before, getRuleAfter(item)].flatMap((rule) => (rule === undefined ? [] : [rule.column]))),
];

/**
 * Returns the effect of an item. Rules combine monotonously (platform-facts.md, 3.3): a rule that grants less
 * shows no one more; a column without rules shows everything; *Nothing* wins over all.
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

/** Those whom the old rule denies see nothing until the new one replaces it; no one else may be affected. */
function getMoveEffect(before: HeldRule, after: HeldRule): Effect {
  const [was, is] = [new Set(before.parties.map(getPartyKey)), new Set(after.parties.map(getPartyKey))];
  if (deniesAll(before) && is.isSubsetOf(was)) {
    return 'widens';
  }
  return deniesAll(after) && was.isSubsetOf(is) && before.column === after.column ? 'narrows' : 'shifts';
}

/** Returns whether everyone whom an item affects sees nothing now, by a rule that stays until all else is done. */
export const isDenied = (item: RuleItem, { denying }: ColumnRules): boolean =>
  getItemColumns(item).every((column) =>
    getParties(item).every(
      (party) =>
        party.type !== 'default' &&
        (denying.get(getColumnPartyKey(column, party)) ?? []).some((rule) => rule !== item.before),
    ),
  );

/** Returns whether an item changes who has a rule at all, rather than what a rule grants. */
const isStructural = (item: RuleItem): boolean => {
  const after = getRuleAfter(item);
  return item.before === undefined
    ? true
    : after === undefined
      ? item.beside.length === 0
      : getSpotKey(item.before) !== getSpotKey(after);
};

/**
 * Groups items so that no person can be affected by items of two groups. Two users are different people; but a user may
 * be in any group, in several at once, and anyone without a rule of their own on a column has that of everyone else.
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
 * Returns the items of a group that may come first in a known order in which the rest may follow without temporary deny
 * rules; `undefined` if there is none:
 * - a party gets a new rule before the rule for everyone else changes, and loses its rule after;
 * - a user's own rule narrows what a group sees, if it is the only one: it comes first and goes last.
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

const concernsOnly =
  (type: NamedParty['type']) =>
  (item: RuleItem): boolean =>
    getParties(item).every((party) => party.type === type);

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
    // In combination with another list, it may show more or less.
    return undefined;
  }
  const newUserItems = users.filter(({ before }) => before === undefined);
  return newUserItems.length > 0 ? newUserItems : [other];
}
