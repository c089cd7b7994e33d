import type { AccessCatalog, PageMembershipSource, PageParty } from '../protocol/access.ts';
import { type Party, groupRulesByColumn, type ColumnRuleIndex } from '../../security/columnAccess.ts';
import {
  getPartyAccess,
  getColumnAccess,
  type ColumnAccessResult,
  toVerdict,
} from '../../security/effectiveAccess.ts';
import { readRules } from '../../security/readRule.ts';
import { getTableAccess, findIneffectiveColumns, type TableAccess } from '../../security/tableAccess.ts';
import type { ValueSet } from '../../security/valueSet.ts';
import { applyWhatIf, type WhatIf } from '../../security/whatIf/whatIf.ts';
import { type AccessState, hasHypotheticalRules } from './state.ts';

/** The groups of a user, as far as somebody reports them. */
export interface PartyMembership {
  /** Absent where they are unknown. */
  readonly groupIds?: readonly string[];
  readonly source?: PageMembershipSource;
  /** What a person should know of it. */
  readonly note?: string;
}

/** By user; one who is not in it was not heard of yet. */
export type Memberships = ReadonlyMap<string, PartyMembership>;

/**
 * A party as rules are read for it. Groups that a person adds come on top of those that are known; where none are, the
 * person says which they are.
 */
export function withMemberGroups(party: Party, memberships: Memberships): Party {
  const { userId, groupIds } = party;
  if (userId === undefined) {
    return party;
  }
  const known = memberships.get(userId)?.groupIds;
  return known === undefined
    ? { ...party, groupsUnknown: groupIds.length === 0 }
    : { userId, groupIds: [...new Set([...known, ...groupIds])] };
}

/** One thing that is shown beside others: what a party sees now, or what it would see. */
export interface ComparedParty {
  readonly party: Party;
  readonly time: 'now' | 'then';
}

/** A line of the page: a column or a table, with what each side sees of it. */
export interface ColumnAccessRow {
  readonly key: string;
  readonly table: string;
  readonly column: string;
  /** `undefined` where on that side no rule is on the column. */
  readonly cells: readonly (ColumnAccessResult | undefined)[];
  readonly differs: boolean;
  /** True when there is no such column, so that its rules protect nothing. */
  readonly lacking: boolean;
}

export interface TableAccessRow {
  readonly table: string;
  readonly cells: readonly TableAccess[];
  readonly differs: boolean;
}

export interface AccessView {
  readonly sides: readonly ComparedParty[];
  readonly columns: readonly ColumnAccessRow[];
  readonly tables: readonly TableAccessRow[];
}

export interface AccessInput {
  readonly rules: readonly unknown[];
  readonly catalog?: AccessCatalog | undefined;
}

const toAccessOptions = (groups: AccessState['groups']) => (groups === 'open' ? undefined : { groups });

/** What the page shows, for what was chosen on it. */
export function createAccessView(
  { rules, catalog }: AccessInput,
  state: AccessState,
  memberships: Memberships = new Map(),
): AccessView {
  const parties = [state.party, ...(state.other === undefined ? [] : [state.other])].map((party) =>
    withMemberGroups(party, memberships),
  );
  const times = hasHypotheticalRules(state) ? (['now', 'then'] as const) : (['now'] as const);
  const sides = parties.flatMap((party) => times.map((time): ComparedParty => ({ party, time })));
  const then = applyWhatIf(rules, state);
  const results = sides.map(({ party, time }) =>
    getColumnAccess(time === 'now' ? rules : then, party, toAccessOptions(state.groups)),
  );
  return {
    sides,
    columns: createColumnRows(results, catalog),
    tables: catalog === undefined ? [] : createTableRows(results, catalog),
  };
}

const getColumnKey = ({ table, column }: { readonly table: string; readonly column: string }): string =>
  JSON.stringify([table, column]);

function createColumnRows(
  results: readonly (readonly ColumnAccessResult[])[],
  catalog: AccessCatalog | undefined,
): readonly ColumnAccessRow[] {
  const bySide = results.map((columns) => new Map(columns.map((column) => [getColumnKey(column), column])));
  const all = new Map(
    results.flat().map(({ table, column }) => [getColumnKey({ table, column }), { table, column }]),
  );
  const lacking = new Set(
    (catalog === undefined ? [] : findIneffectiveColumns(results.flat(), catalog)).map(getColumnKey),
  );
  return [...all].map(([key, name]) => {
    const cells = bySide.map((columns) => columns.get(key));
    return {
      key,
      ...name,
      cells,
      differs: hasDifference(cells.map(getMeaningKey)),
      lacking: lacking.has(key),
    };
  });
}

function createTableRows(
  results: readonly (readonly ColumnAccessResult[])[],
  catalog: AccessCatalog,
): readonly TableAccessRow[] {
  const bySide = results.map((columns) => getTableAccess(columns, catalog));
  // Tables that are linked with each other share their columns, and a side has many of both.
  const known = new Map<readonly ColumnAccessResult[], string>();
  const getConditionsKey = (columns: readonly ColumnAccessResult[]): string => {
    const text =
      known.get(columns) ??
      columns
        .map((column) => getColumnKey(column) + getMeaningKey(column))
        .sort()
        .join(' ');
    known.set(columns, text);
    return text;
  };
  return (bySide[0] ?? []).map(({ table }, row) => {
    const cells = bySide.flatMap((tables) => tables[row] ?? []);
    const meanings = cells.map(({ verdict, columns }) => verdict + getConditionsKey(columns));
    return { table, cells, differs: hasDifference(meanings) };
  });
}

/** One text for what is seen, whatever the order of values; no rule lets everything be seen. */
function getMeaningKey(result: ColumnAccessResult | undefined): string {
  if (result === undefined) {
    return JSON.stringify(['all', []]);
  }
  const { verdict, values } = toVerdict(result.access);
  const { atLeast, atMost } = result.bounds;
  const doubt =
    typeof result.access === 'string' ? [result.access, getBoundKey(atLeast), getBoundKey(atMost)] : [];
  return JSON.stringify([verdict, [...values].sort(), ...doubt]);
}

const getBoundKey = ({ kind, values }: ValueSet): readonly unknown[] => [kind, [...values].sort()];

const hasDifference = (meanings: readonly string[]): boolean => new Set(meanings).size > 1;

/** The parties for whom something changes when rules are as they would be; `default` is everybody else. */
export function findAffectedParties(
  rules: readonly unknown[],
  whatIf: WhatIf,
  groups: AccessState['groups'],
  known: readonly PageParty[],
): readonly (PageParty | 'default')[] {
  const before = groupRulesByColumn(readRules(rules));
  const after = groupRulesByColumn(readRules(applyWhatIf(rules, whatIf)));
  const getVisibleKey = (columns: readonly ColumnRuleIndex[], party: Party): string =>
    JSON.stringify(
      getPartyAccess(columns, party, toAccessOptions(groups))
        .filter((result) => getMeaningKey(result) !== getMeaningKey(undefined))
        .map((result) => getColumnKey(result) + getMeaningKey(result))
        .sort(),
    );
  const candidates: readonly (PageParty | 'default')[] = [...known, 'default'];
  return candidates.filter((each) => {
    const party = each === 'default' ? { groupIds: [] } : toParty(each);
    return getVisibleKey(before, party) !== getVisibleKey(after, party);
  });
}

const toParty = ({ type, id, groupIds }: PageParty): Party =>
  type === 'group'
    ? { groupIds: [id] }
    : { userId: id, groupIds: groupIds ?? [], groupsUnknown: groupIds === undefined };
