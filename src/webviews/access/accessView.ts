import type { AccessCatalog, PageMembershipSource, PageParty } from '../protocol/access.ts';
import { type Party, groupRulesByColumn, type ColumnRuleIndex } from '../../security/columnAccess.ts';
import {
  getPartyAccess,
  getColumnAccess,
  type ColumnAccessResult,
  toVerdict,
} from '../../security/effectiveAccess.ts';
import { readRules } from '../../security/readRules.ts';
import { getTableAccess, findIneffectiveColumns, type TableAccess } from '../../security/tableAccess.ts';
import type { ValueSet } from '../../security/valueSet.ts';
import { applyWhatIf, type WhatIf } from '../../security/whatIf/whatIf.ts';
import { type AccessPageState, type PreviewState, isPreviewActive } from './state.ts';

/**
 * What is known of a user: the groups that a source reports and the rules that the server applies, or why the user is
 * not identified.
 */
export interface UserLookup {
  /** The groups of the user; absent if they are unknown. */
  readonly groupIds?: readonly string[];
  readonly source?: PageMembershipSource;
  /** The rules that the server applies to the user; absent if the server doesn't report them. */
  readonly appliedRules?: readonly unknown[];
  /** A note for the user of the page. */
  readonly note?: string;
  /** Set if the text does not identify exactly one user. */
  readonly isUnidentified?: true;
  /** A similar name of an existing user. */
  readonly suggestion?: string;
}

/** What is known of users, by the ID or name of the user. Users without an entry have not been reported yet. */
export type UserLookups = ReadonlyMap<string, UserLookup>;

/**
 * Returns the party with all groups to evaluate rules for: the groups that are selected on the page, and those reported
 * for the user. If the user's groups are not reported, the selected groups are assumed to be all of them. If no group
 * is selected either, the user's groups are unknown.
 */
export function withMemberGroups(party: Party, userLookups: UserLookups): Party {
  const { userId, groupIds } = party;
  if (userId === undefined) {
    return party;
  }
  const knownGroupIds = userLookups.get(userId)?.groupIds;
  return knownGroupIds === undefined
    ? { ...party, groupsUnknown: groupIds.length === 0 }
    : { userId, groupIds: [...new Set([...knownGroupIds, ...groupIds])] };
}

/** Returns whether the text of a party does not identify exactly one user: then the party has no access to show. */
export const isUnidentified = ({ userId }: Party, userLookups: UserLookups): boolean =>
  userId !== undefined && userLookups.get(userId)?.isUnidentified === true;

/**
 * One side of a comparison: the access of a party according to the current rules, or to the rules with the previewed
 * changes. The variant is `unapplied` if all of these are unapplied changes in the rules grid, otherwise
 * `hypothetical`.
 */
export interface ComparisonSide {
  readonly party: Party;
  readonly rulesVariant: 'current' | 'hypothetical' | 'unapplied';
}

/** The access of each side to a column. */
export interface ColumnAccessRow {
  readonly key: string;
  readonly table: string;
  readonly column: string;
  /** `undefined` if the rules of that side contain none on the column, for any user or group. */
  readonly cells: readonly (ColumnAccessResult | undefined)[];
  readonly isDifferent: boolean;
  /** True if the column does not exist, so that its rules have no effect. */
  readonly isMissing: boolean;
}

export interface TableAccessRow {
  readonly table: string;
  readonly cells: readonly TableAccess[];
  readonly isDifferent: boolean;
}

export interface AccessView {
  /** The compared sides, without those of parties that are not identified. */
  readonly sides: readonly ComparisonSide[];
  readonly columns: readonly ColumnAccessRow[];
  readonly tables: readonly TableAccessRow[];
}

export interface AccessInput {
  readonly rules: readonly unknown[];
  readonly catalog?: AccessCatalog | undefined;
  /** True if the rules are those of a cube set: `catalog` may then have tables that the cube set does not contain. */
  readonly isCubeSet?: boolean | undefined;
}

const toAccessOptions = (groups: AccessPageState['groups']) =>
  groups === 'uncertain' ? undefined : { groups };

/** Computes the displayed access from the selection on the page. */
export function createAccessView(
  { rules, catalog, isCubeSet = false }: AccessInput,
  state: PreviewState,
  userLookups: UserLookups = new Map(),
): AccessView {
  const parties = [state.party, ...(state.other === undefined ? [] : [state.other])]
    .filter((party) => !isUnidentified(party, userLookups))
    .map((party) => withMemberGroups(party, userLookups));
  const previewVariant = state.without.length + state.drafts.length > 0 ? 'hypothetical' : 'unapplied';
  const variants = isPreviewActive(state) ? (['current', previewVariant] as const) : (['current'] as const);
  const sides = parties.flatMap((party) =>
    variants.map((rulesVariant): ComparisonSide => ({ party, rulesVariant })),
  );
  const hypotheticalRules = applyWhatIf(rules, state);
  const results = sides.map(({ party, rulesVariant }) =>
    getColumnAccess(
      rulesVariant === 'current' ? rules : hypotheticalRules,
      party,
      toAccessOptions(state.groups),
    ),
  );
  return {
    sides,
    columns: createColumnRows(results, catalog),
    tables: catalog === undefined || isCubeSet ? [] : createTableRows(results, catalog),
  };
}

const getColumnKey = ({ table, column }: { readonly table: string; readonly column: string }): string =>
  JSON.stringify([table, column]);

function createColumnRows(
  results: readonly (readonly ColumnAccessResult[])[],
  catalog: AccessCatalog | undefined,
): readonly ColumnAccessRow[] {
  const columnsBySide = results.map(
    (columns) => new Map(columns.map((column) => [getColumnKey(column), column])),
  );
  const columnsByKey = new Map(
    results.flat().map(({ table, column }) => [getColumnKey({ table, column }), { table, column }]),
  );
  const missingKeys = new Set(
    (catalog === undefined ? [] : findIneffectiveColumns(results.flat(), catalog)).map(getColumnKey),
  );
  return [...columnsByKey].map(([key, column]) => {
    const cells = columnsBySide.map((columns) => columns.get(key));
    return {
      key,
      ...column,
      cells,
      isDifferent: hasDifference(cells.map(getAccessKey)),
      isMissing: missingKeys.has(key),
    };
  });
}

function createTableRows(
  results: readonly (readonly ColumnAccessResult[])[],
  catalog: AccessCatalog,
): readonly TableAccessRow[] {
  const tablesBySide = results.map((columns) => getTableAccess(columns, catalog));
  // Related tables have the same array of columns, so its key is computed only once.
  const keyCache = new Map<readonly ColumnAccessResult[], string>();
  const getConditionsKey = (columns: readonly ColumnAccessResult[]): string => {
    const text =
      keyCache.get(columns) ??
      columns
        .map((column) => getColumnKey(column) + getAccessKey(column))
        .sort()
        .join(' ');
    keyCache.set(columns, text);
    return text;
  };
  return (tablesBySide[0] ?? []).map(({ table }, row) => {
    const cells = tablesBySide.flatMap((tables) => tables[row] ?? []);
    const accessKeys = cells.map(({ verdict, columns }) => verdict + getConditionsKey(columns));
    return { table, cells, isDifferent: hasDifference(accessKeys) };
  });
}

/** Returns a key that is the same for equal access, in any order of values. Without a rule, all values are visible. */
function getAccessKey(result: ColumnAccessResult | undefined): string {
  if (result === undefined) {
    return JSON.stringify(['all', []]);
  }
  const { verdict, values } = toVerdict(result.access);
  const { atLeast, atMost } = result.bounds;
  const uncertaintyKey =
    typeof result.access === 'string' ? [result.access, getBoundKey(atLeast), getBoundKey(atMost)] : [];
  return JSON.stringify([verdict, [...values].sort(), ...uncertaintyKey]);
}

const getBoundKey = ({ kind, values }: ValueSet): readonly unknown[] => [kind, [...values].sort()];

const hasDifference = (accessKeys: readonly string[]): boolean => new Set(accessKeys).size > 1;

/** Finds the parties whose access the hypothetical rules change; `default` is everyone else. */
export function findAffectedParties(
  rules: readonly unknown[],
  whatIf: WhatIf,
  groups: AccessPageState['groups'],
  knownParties: readonly PageParty[],
): readonly (PageParty | 'default')[] {
  const before = groupRulesByColumn(readRules(rules));
  const after = groupRulesByColumn(readRules(applyWhatIf(rules, whatIf)));
  const getRestrictionsKey = (columns: readonly ColumnRuleIndex[], party: Party): string =>
    JSON.stringify(
      getPartyAccess(columns, party, toAccessOptions(groups))
        .filter((result) => getAccessKey(result) !== getAccessKey(undefined))
        .map((result) => getColumnKey(result) + getAccessKey(result))
        .sort(),
    );
  const candidates: readonly (PageParty | 'default')[] = [...knownParties, 'default'];
  return candidates.filter((candidate) => {
    const party = candidate === 'default' ? { groupIds: [] } : toEvaluatedParty(candidate);
    return getRestrictionsKey(before, party) !== getRestrictionsKey(after, party);
  });
}

const toEvaluatedParty = ({ type, id, groupIds }: PageParty): Party =>
  type === 'group'
    ? { groupIds: [id] }
    : { userId: id, groupIds: groupIds ?? [], groupsUnknown: groupIds === undefined };
