import type { NamedParty } from '../../security/readRule.ts';
import { compareGrants, deniesAll, type HeldRule, getPartyKey, getSpotKey } from './heldRule.ts';
import type { RuleItem } from './ruleItems.ts';
import type { RuleTarget } from './ruleTarget.ts';

/**
 * What an item does to what people see, whatever other rules they have: `narrows` it never shows more than before,
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
  /** Columns that are to have rules. */
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

/** Whom an item concerns, each once. */
export const getParties = (item: RuleItem): readonly NamedParty[] => [
  ...new Map(
    [...(item.before?.parties ?? []), ...(getRuleAfter(item)?.parties ?? [])].map((party) => [
      getPartyKey(party),
      party,
    ]),
  ).values(),
];

/** The columns that an item is about. */
export const getItemColumns = (item: RuleItem): readonly string[] => [
  ...new Set([item.before, getRuleAfter(item)].flatMap((rule) => (rule === undefined ? [] : [rule.column]))),
];

/**
 * What an item does. Rules combine monotonously (docs/platform.md, "Combination"): a rule that grants less shows nobody
 * more; a column without rules shows everything; *Nothing* wins over all.
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

/** Whoever the former rule denies sees nothing until it is the new one; nobody else may be concerned. */
function getMoveEffect(before: HeldRule, after: HeldRule): Effect {
  const [was, is] = [new Set(before.parties.map(getPartyKey)), new Set(after.parties.map(getPartyKey))];
  if (deniesAll(before) && is.isSubsetOf(was)) {
    return 'widens';
  }
  return deniesAll(after) && was.isSubsetOf(is) && before.column === after.column ? 'narrows' : 'shifts';
}

/** Whether everybody whom an item concerns sees nothing now, by a rule that stays until all else is done. */
export const isDenied = (item: RuleItem, { denying }: ColumnRules): boolean =>
  getItemColumns(item).every((column) =>
    getParties(item).every(
      (party) =>
        party.type !== 'default' &&
        (denying.get(getColumnPartyKey(column, party)) ?? []).some((rule) => rule !== item.before),
    ),
  );

/** Whether an item changes for whom there is a rule at all; else it changes what their rule grants. */
const isStructural = (item: RuleItem): boolean => {
  const after = getRuleAfter(item);
  return item.before === undefined
    ? true
    : after === undefined
      ? item.beside.length === 0
      : getSpotKey(item.before) !== getSpotKey(after);
};

/**
 * Items in groups such that no person can be concerned by items of two groups. One user is not another; but a user may
 * be in any group, in several at once, and whoever has no rule of their own on a column has that of everyone else.
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
 * The items of a group that may come first, where an order is known in which the rest may follow without anything
 * denied meanwhile; `undefined` where none is:
 * - whoever gets a rule gets it before the rule for everyone else changes, and loses it after;
 * - a rule of one's own narrows what a group sees, where it is the only one: first it comes, last it goes.
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
    // With another list it may show more or less.
    return undefined;
  }
  const newUserItems = users.filter(({ before }) => before === undefined);
  return newUserItems.length > 0 ? newUserItems : [other];
}
