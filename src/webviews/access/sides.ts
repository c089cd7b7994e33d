import type { AccessCatalog, MembershipSource, SeenParty } from '../protocol/access.ts';
import { type Party, rulesByColumn, type RulesOfColumn } from '../../security/columnAccess.ts';
import { accessIn, accessOfColumns, type ColumnResult, verdictOf } from '../../security/effectiveAccess.ts';
import { readRules } from '../../security/readRule.ts';
import { accessOfTables, rulesWithoutEffect, type TableAccess } from '../../security/tableAccess.ts';
import type { ValueSet } from '../../security/valueSet.ts';
import { imagined, type WhatIf } from '../../security/whatIf/whatIf.ts';
import { type AccessState, isImagining } from './state.ts';

/** The groups of a user, as far as somebody reports them. */
export interface Membership {
  /** Absent where they are unknown. */
  readonly groupIds?: readonly string[];
  readonly source?: MembershipSource;
  /** What a person should know of it. */
  readonly note?: string;
}

/** By user; one who is not in it was not heard of yet. */
export type Memberships = ReadonlyMap<string, Membership>;

/**
 * A party as rules are read for it. Groups that a person adds come on top of those that are known; where none are, the
 * person says which they are.
 */
export function withGroups(party: Party, memberships: Memberships): Party {
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
export interface Side {
  readonly party: Party;
  readonly time: 'now' | 'then';
}

/** A line of the page: a column or a table, with what each side sees of it. */
export interface ColumnLine {
  readonly key: string;
  readonly table: string;
  readonly column: string;
  /** `undefined` where on that side no rule is on the column. */
  readonly cells: readonly (ColumnResult | undefined)[];
  readonly differs: boolean;
  /** True when there is no such column, so that its rules protect nothing. */
  readonly lacking: boolean;
}

export interface TableLine {
  readonly table: string;
  readonly cells: readonly TableAccess[];
  readonly differs: boolean;
}

export interface AccessView {
  readonly sides: readonly Side[];
  readonly columns: readonly ColumnLine[];
  readonly tables: readonly TableLine[];
}

export interface AccessInput {
  readonly rules: readonly unknown[];
  readonly catalog?: AccessCatalog | undefined;
}

const optionsOf = (groups: AccessState['groups']) => (groups === 'open' ? undefined : { groups });

/** What the page shows, for what was chosen on it. */
export function accessView(
  { rules, catalog }: AccessInput,
  state: AccessState,
  memberships: Memberships = new Map(),
): AccessView {
  const parties = [state.party, ...(state.other === undefined ? [] : [state.other])].map((party) =>
    withGroups(party, memberships),
  );
  const times = isImagining(state) ? (['now', 'then'] as const) : (['now'] as const);
  const sides = parties.flatMap((party) => times.map((time): Side => ({ party, time })));
  const then = imagined(rules, state);
  const results = sides.map(({ party, time }) =>
    accessOfColumns(time === 'now' ? rules : then, party, optionsOf(state.groups)),
  );
  return {
    sides,
    columns: columnLines(results, catalog),
    tables: catalog === undefined ? [] : tableLines(results, catalog),
  };
}

const keyOf = ({ table, column }: { readonly table: string; readonly column: string }): string =>
  JSON.stringify([table, column]);

function columnLines(
  results: readonly (readonly ColumnResult[])[],
  catalog: AccessCatalog | undefined,
): readonly ColumnLine[] {
  const bySide = results.map((columns) => new Map(columns.map((column) => [keyOf(column), column])));
  const all = new Map(
    results.flat().map(({ table, column }) => [keyOf({ table, column }), { table, column }]),
  );
  const lacking = new Set(
    (catalog === undefined ? [] : rulesWithoutEffect(results.flat(), catalog)).map(keyOf),
  );
  return [...all].map(([key, name]) => {
    const cells = bySide.map((columns) => columns.get(key));
    return { key, ...name, cells, differs: differ(cells.map(meaning)), lacking: lacking.has(key) };
  });
}

function tableLines(
  results: readonly (readonly ColumnResult[])[],
  catalog: AccessCatalog,
): readonly TableLine[] {
  const bySide = results.map((columns) => accessOfTables(columns, catalog));
  // Tables that are linked with each other share their columns, and a side has many of both.
  const known = new Map<readonly ColumnResult[], string>();
  const conditions = (columns: readonly ColumnResult[]): string => {
    const text =
      known.get(columns) ??
      columns
        .map((column) => keyOf(column) + meaning(column))
        .sort()
        .join(' ');
    known.set(columns, text);
    return text;
  };
  return (bySide[0] ?? []).map(({ table }, row) => {
    const cells = bySide.flatMap((tables) => tables[row] ?? []);
    const meanings = cells.map(({ verdict, columns }) => verdict + conditions(columns));
    return { table, cells, differs: differ(meanings) };
  });
}

/** One text for what is seen, whatever the order of values; no rule lets everything be seen. */
function meaning(result: ColumnResult | undefined): string {
  if (result === undefined) {
    return JSON.stringify(['all', []]);
  }
  const { verdict, values } = verdictOf(result.access);
  const { atLeast, atMost } = result.bounds;
  const doubt =
    typeof result.access === 'string' ? [result.access, boundMeaning(atLeast), boundMeaning(atMost)] : [];
  return JSON.stringify([verdict, [...values].sort(), ...doubt]);
}

const boundMeaning = ({ kind, values }: ValueSet): readonly unknown[] => [kind, [...values].sort()];

const differ = (meanings: readonly string[]): boolean => new Set(meanings).size > 1;

/** The parties for whom something changes when rules are as they would be; `default` is everybody else. */
export function affectedParties(
  rules: readonly unknown[],
  whatIf: WhatIf,
  groups: AccessState['groups'],
  known: readonly SeenParty[],
): readonly (SeenParty | 'default')[] {
  const before = rulesByColumn(readRules(rules));
  const after = rulesByColumn(readRules(imagined(rules, whatIf)));
  const seen = (columns: readonly RulesOfColumn[], party: Party): string =>
    JSON.stringify(
      accessIn(columns, party, optionsOf(groups))
        .filter((result) => meaning(result) !== meaning(undefined))
        .map((result) => keyOf(result) + meaning(result))
        .sort(),
    );
  const candidates: readonly (SeenParty | 'default')[] = [...known, 'default'];
  return candidates.filter((each) => {
    const party = each === 'default' ? { groupIds: [] } : partyOf(each);
    return seen(before, party) !== seen(after, party);
  });
}

const partyOf = ({ type, id, groupIds }: SeenParty): Party =>
  type === 'group'
    ? { groupIds: [id] }
    : { userId: id, groupIds: groupIds ?? [], groupsUnknown: groupIds === undefined };
