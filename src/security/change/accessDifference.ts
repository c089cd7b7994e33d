import { sortByText } from '../../base/sortByText.ts';
import type { PartyType } from '../../contract/terms.ts';
import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { type ColumnRuleIndex, groupRulesByColumn } from '../columnAccess.ts';
import { Memberships } from '../membership/memberships.ts';
import { readRules } from '../readRules.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { AccessDifferenceRow, AccessEffect } from './accessDifferenceRow.ts';
import { type ComparedColumn, findColumnDifferences } from './columnDifferences.ts';
import { findCombinedColumnDifferences } from './combinedGroups.ts';
import { ComparedLinks, type TablesWithRules, toColumnKey } from './comparedLinks.ts';
import { findTableDifferences } from './tableDifferences.ts';

/** The rules of one datamodel or cube set, and the tables of the datamodel if they are known. */
export interface AccessState {
  readonly rules: readonly unknown[];
  readonly catalog?: Catalog | undefined;
}

/** A change of rules, or of the tables and relations that they apply to. */
export interface AccessChange {
  readonly before: AccessState;
  readonly after: AccessState;
  /** Returns the name of a table or column before the change. If it is absent, the change renames nothing. */
  readonly getOldName?: GetOldName;
  /** The known memberships. Differences that depend on the memberships of other users are uncertain. */
  readonly memberships?: Memberships | undefined;
}

/** Returns the former name; the current one if it is not renamed. The column is empty for a table itself. */
type GetOldName = (name: ColumnName) => ColumnName;

/**
 * Who gains and who loses access, sorted by effect (gains, changes, losses), then everyone else before users and
 * groups, then certain differences before uncertain ones.
 */
export interface AccessDifference {
  readonly rows: readonly AccessDifferenceRow[];
  /** The number of users and groups whose access may change too, and was not computed. */
  readonly otherPartyCount: number;
  /**
   * Whether the access of more users may change too, and was not computed: users in several groups, and users whom
   * rules name but whose groups are unknown.
   */
  readonly hasMoreCombinations: boolean;
}

/**
 * Computes who gains and who loses access: everyone else, and the users and groups that rules name. For a user whose
 * groups are unknown, differences that depend on the groups are uncertain. Users in several groups are reported if none
 * of these groups alone has the same difference. The order of rules, parties, groups, tables, and relations doesn't
 * matter: if the result can't contain everything, names and IDs decide what it contains.
 */
export function computeAccessDifference({
  before,
  after,
  getOldName,
  memberships = new Memberships(),
}: AccessChange): AccessDifference {
  const oldTables = before.catalog && prepareTables(before.catalog);
  // If the tables are the same before and after, they are prepared only once.
  const newTables =
    after.catalog === before.catalog && getOldName === undefined
      ? oldTables
      : after.catalog && prepareTables(after.catalog, getOldName);
  const oldState = prepareState(before.rules, oldTables);
  const newState = prepareState(after.rules, newTables, getOldName);
  const links =
    hasCatalog(oldState) && hasCatalog(newState) ? new ComparedLinks(oldState, newState) : undefined;
  const columns = pairColumns(oldState.columns, newState.columns)
    .filter(({ name: { table, column } }) =>
      [oldState, newState].every(({ names }) => names?.isMissing(table, column) !== true),
    )
    .map((column) => ({ ...column, tables: links?.getLinkedTables(column.name)?.tables ?? [] }));
  const columnRows = columns.flatMap((column) => findColumnDifferences(column, memberships.getGroupIds));
  const combined = columns.map((column) => findCombinedColumnDifferences(column, memberships));
  const combinedRows = combined.flatMap(({ differences }) => differences);
  const tables = links === undefined ? noTableDifferences : findTableDifferences(links, memberships);
  return {
    rows: [...tables.rows, ...columnRows, ...combinedRows].toSorted(
      (a, b) =>
        effectOrder.indexOf(a.effect) - effectOrder.indexOf(b.effect) ||
        Number(a.party.type !== 'default') - Number(b.party.type !== 'default') ||
        Number(a.isUncertain) - Number(b.isUncertain) ||
        partyOrder.indexOf(a.party.type) - partyOrder.indexOf(b.party.type),
    ),
    otherPartyCount: tables.otherPartyCount,
    hasMoreCombinations: tables.hasMoreCombinations || combined.some(({ hasMore }) => hasMore),
  };
}

const effectOrder: readonly AccessEffect[] = ['gains', 'changes', 'loses'];
const partyOrder: readonly PartyType[] = ['group', 'user'];

const noTableDifferences: ReturnType<typeof findTableDifferences> = {
  rows: [],
  otherPartyCount: 0,
  hasMoreCombinations: false,
};

/** The state before or after a change: its rules by column and, if the tables are known, the catalog with its names. */
type PreparedState = Pick<TablesWithRules, 'columns'> & Partial<Pick<TablesWithRules, 'catalog' | 'names'>>;

const hasCatalog = (side: PreparedState): side is TablesWithRules => side.catalog !== undefined;

/** The tables before or after the change. `catalog` and `names` always contain the names from before the change. */
interface PreparedTables extends Pick<TablesWithRules, 'catalog' | 'names'> {
  /** The names that the tables and columns really have on this side of the change. */
  readonly ownNames: CatalogNames;
}

function prepareTables(catalog: Catalog, getOldName?: GetOldName): PreparedTables {
  const ownNames = new CatalogNames(catalog);
  if (getOldName === undefined) {
    return { ownNames, catalog, names: ownNames };
  }
  const translatedCatalog = translateCatalog(catalog, getOldName);
  return { ownNames, catalog: translatedCatalog, names: new CatalogNames(translatedCatalog) };
}

/**
 * Groups the rules of one side by column, under the names from before the change. Rules on columns that don't exist are
 * left out, since they have no effect.
 */
function prepareState(
  rules: readonly unknown[],
  tables: PreparedTables | undefined,
  getOldName: GetOldName = (name) => name,
): PreparedState {
  const effectiveRules = readRules(rules).filter(
    ({ table, column }) => tables?.ownNames.isMissing(table, column) !== true,
  );
  const columns = sortByText(
    groupRulesByColumn(effectiveRules.map((rule) => ({ ...rule, ...getOldName(rule) }))).map(sortParties),
    toColumnKey,
  );
  return tables === undefined ? { columns } : { columns, catalog: tables.catalog, names: tables.names };
}

const sortParties = ({ byParty, ...rules }: ColumnRuleIndex): ColumnRuleIndex => ({
  ...rules,
  byParty: new Map(sortByText([...byParty], ([key]) => key)),
});

function translateCatalog({ complete, tables, relations = [] }: Catalog, getOldName: GetOldName): Catalog {
  return {
    complete,
    tables: tables.map((table) => ({
      ...table,
      name: getOldName({ table: table.name, column: '' }).table,
      columns: table.columns.map((column) => ({
        ...column,
        name: getOldName({ table: table.name, column: column.name }).column,
      })),
    })),
    relations: relations.map((relation) => ({
      ...relation,
      columns: relation.columns.map((column) => getOldName(column)),
    })),
  };
}

/** Pairs the rules on each column before and after. */
function pairColumns(
  before: readonly ColumnRuleIndex[],
  after: readonly ColumnRuleIndex[],
): readonly Omit<ComparedColumn, 'tables'>[] {
  const [oldColumns, newColumns] = [before, after].map(
    (columns) => new Map(columns.map((rules) => [toColumnKey(rules), rules])),
  );
  const allColumns = new Map([...(oldColumns ?? []), ...(newColumns ?? [])]);
  return [...allColumns].map(([key, { table, column }]) => ({
    name: { table, column },
    before: oldColumns?.get(key),
    after: newColumns?.get(key),
  }));
}
