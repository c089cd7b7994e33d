import { type ColumnRuleIndex, isUncertain, type Party } from '../columnAccess.ts';
import { type ColumnAccessResult, getPartyAccess } from '../effectiveAccess.ts';
import type { Memberships } from '../membership/memberships.ts';
import type { PartyRef } from '../readRules.ts';
import { getTableVerdict, mayRestrict, type TableVerdict } from '../tableAccess.ts';
import { isNoValues, isSubset } from '../valueSet.ts';
import type { AccessEffect, TableDifference, VisibleRows } from './accessDifferenceRow.ts';
import { unrestrictedValues, getEffect, mayShowMore, toParty } from './columnDifferences.ts';
import type { ComparedLinks, TableComponent, LinkedTables } from './comparedLinks.ts';

/** The maximum number of users and groups to compute the access to tables for. */
const maxParties = 20;

/** The maximum number of restricting columns to list for a row. */
const maxConditions = 3;

/** The differences in the access to tables, and how much of it was not computed. */
export interface TableDifferences {
  readonly rows: readonly TableDifference[];
  /** The number of users and groups whose access may change too. */
  readonly otherPartyCount: number;
  /**
   * Whether the access of more users may change too: users in several groups, and users with rules of their own who may
   * also be in groups with rules.
   */
  readonly hasMoreCombinations: boolean;
}

/**
 * Finds the parties that see other rows of tables because relations, tables or columns are added or removed, so that
 * other columns with rules restrict the tables. Every user or group with rules on the linked tables must be checked:
 * even if everyone else sees nothing before and after, a user or group may gain or lose rows. Changes of the rules on
 * columns that restrict the tables on both sides are not included. Computes the access of at most {@link maxParties}
 * parties, and returns the number of the others.
 */
export function findTableDifferences(links: ComparedLinks, memberships: Memberships): TableDifferences {
  if (links.affectedTables.length === 0) {
    return { rows: [], otherPartyCount: 0, hasMoreCombinations: false };
  }
  const keys = getPartyKeys(links);
  const hasGroupRules = keys.some((key) => !isUserKey(key));
  const parties = keys.slice(0, maxParties).map(toPartyRef);
  const everyoneElse = compareTables(links, { party: { type: 'default' } }, neverReported);
  const isReportedForOthers: IsReported = (linkedTables, change, hasOwnRules) =>
    !hasOwnRules && isCoveredBy(change, everyoneElse.changes.get(linkedTables));
  const partyRows = parties.flatMap((party) => {
    const groupIds = party.type === 'user' ? memberships.getGroupIds(party.id ?? '') : undefined;
    const { rows } = compareTables(links, { party, groupIds }, isReportedForOthers);
    const dependsOnGroups = party.type === 'user' && hasGroupRules && groupIds === undefined;
    return dependsOnGroups ? rows.map((row) => ({ ...row, isUncertain: true })) : rows;
  });
  const combined = findCombinedTableDifferences(links, keys, memberships);
  // A user whose groups are unknown may be in a group with rules. Both rules together may have another effect.
  const hasUnknownGroups =
    hasGroupRules &&
    keys.some((key) => isUserKey(key) && memberships.getGroupIds(toPartyRef(key).id ?? '') === undefined);
  return {
    rows: [...everyoneElse.rows, ...partyRows, ...combined.rows],
    otherPartyCount: Math.max(0, keys.length - maxParties),
    hasMoreCombinations: combined.hasMore || hasUnknownGroups,
  };
}

/**
 * Finds the users in several groups who see other rows, although none of these groups alone gains or loses any. For
 * example, a single group may see nothing because of a column on which only another of the groups has a rule.
 */
function findCombinedTableDifferences(
  links: ComparedLinks,
  keys: readonly string[],
  memberships: Memberships,
): { readonly rows: readonly TableDifference[]; readonly hasMore: boolean } {
  const namedGroupIds = new Set(keys.filter((key) => !isUserKey(key)).map((key) => toPartyRef(key).id ?? ''));
  const { combinations, hasMore } = memberships.findCombinations(namedGroupIds, namedGroupIds);
  const changesByGroup = new Map<string, TableChanges>();
  const getChanges = (id: string): TableChanges => {
    const changes =
      changesByGroup.get(id) ?? compareTables(links, { party: { type: 'group', id } }, neverReported).changes;
    changesByGroup.set(id, changes);
    return changes;
  };
  const rows = combinations.slice(0, maxParties).flatMap(([id = '', ...otherGroupIds]) => {
    const groupIds = [id, ...otherGroupIds];
    const difference = compareTables(
      links,
      { party: { type: 'group', id }, groupIds },
      (linkedTables, change) =>
        groupIds.some((groupId) => isCoveredBy(change, getChanges(groupId).get(linkedTables))),
    );
    return difference.rows.map((row) => ({
      ...row,
      otherGroupIds,
      isUncertain: row.isUncertain || !memberships.isComplete,
    }));
  });
  return { rows, hasMore: hasMore || combinations.length > maxParties };
}

/** Returns whether a difference is already reported for another party, so that this party needs no row of its own. */
type IsReported = (linkedTables: LinkedTables, change: TableChange, hasOwnRules: boolean) => boolean;

const neverReported: IsReported = () => false;

/** What a party sees of linked tables before and after. */
interface TableChange {
  readonly effect: AccessEffect;
  readonly before: ComponentAccess;
  readonly after: ComponentAccess;
}

type TableChanges = ReadonlyMap<LinkedTables, TableChange>;

/**
 * Returns whether the difference of another party includes this one: it has the same effect, on at least the same rows.
 */
const isCoveredBy = ({ effect, before, after }: TableChange, other: TableChange | undefined): boolean =>
  other?.effect === effect &&
  (effect === 'loses' || showsNoMore(after, other.after)) &&
  (effect === 'gains' || showsNoMore(before, other.before));

/** Returns whether a party is certain to see no more rows than another one: each column restricts it as much. */
function showsNoMore(access: ComponentAccess, other: ComponentAccess): boolean {
  if (access.verdict === 'none') {
    return true;
  }
  const columns = new Map(access.columns.map((column) => [column.rules, column]));
  return other.columns.every(({ rules, bounds }) =>
    isSubset((columns.get(rules) ?? unrestrictedValues).bounds.atMost, bounds.atMost),
  );
}

/** Converts a key of {@link ColumnRuleIndex.byParty} to its user or group; not for the key of everyone else. */
function toPartyRef(key: string): PartyRef {
  return { type: isUserKey(key) ? 'user' : 'group', id: key.slice(key.indexOf(':') + 1) };
}

/**
 * Returns the keys of the users and groups that rules on linked columns name: first those that are named on a column
 * that restricts different tables after the change, and groups before users.
 */
function getPartyKeys(links: ComparedLinks): readonly string[] {
  const keysOnChangedColumns = new Set<string>();
  const otherKeys = new Set<string>();
  for (const rules of links.affectedRules) {
    const keys = links.restrictsDifferentTables(rules) ? keysOnChangedColumns : otherKeys;
    rules.byParty.keys().forEach((key) => keys.add(key));
  }
  return [keysOnChangedColumns, otherKeys.difference(keysOnChangedColumns)].flatMap((keys) =>
    [...keys].filter((key) => key !== 'default:').sort((a, b) => Number(isUserKey(a)) - Number(isUserKey(b))),
  );
}

const isUserKey = (key: string): boolean => key.startsWith('user:');

/** A column that restricts the rows that a party sees. */
interface PartyColumn extends ColumnAccessResult {
  readonly rules: ColumnRuleIndex;
  /** Its table with those linked with it; `undefined` if the column does not exist on both sides. */
  readonly linkedTables: LinkedTables | undefined;
}

/** What a party sees of the tables of a component. */
interface ComponentAccess {
  readonly verdict: TableVerdict;
  readonly columns: readonly PartyColumn[];
  /** If no rows are visible, only the columns without visible values. */
  readonly relevantColumns: readonly PartyColumn[];
  /** The number of columns with rules for the party itself. */
  readonly ownCount: number;
}

type AccessByComponent = ReadonlyMap<TableComponent, ComponentAccess>;

function computeAccessByComponent(
  links: ComparedLinks,
  components: readonly TableComponent[],
  party: Party,
): AccessByComponent {
  return new Map(
    components.map((component) => {
      const columns = component.columns.flatMap((rules) =>
        getPartyAccess([rules], party)
          .filter(mayRestrict)
          .map((result) => ({ ...result, rules, linkedTables: links.getLinkedTablesOfRules(rules) })),
      );
      const verdict = getTableVerdict(columns);
      const relevantColumns = verdict === 'none' ? columns.filter(leavesNothing) : columns;
      return [component, { verdict, columns, relevantColumns, ownCount: columns.filter(isOwn).length }];
    }),
  );
}

/** Returns whether a column has rules for the party itself. */
const isOwn = ({ appliedRules }: ColumnAccessResult): boolean =>
  appliedRules.some(({ matchedType }) => matchedType !== 'default');

/**
 * Compares the access of one party to all tables.
 * @param isReported returns whether a difference is already reported for other parties; it then gets no row, but is one
 *   of the `changes`
 */
function compareTables(
  links: ComparedLinks,
  { party, groupIds }: { readonly party: PartyRef; readonly groupIds?: readonly string[] | undefined },
  isReported: IsReported,
): { readonly rows: readonly TableDifference[]; readonly changes: TableChanges } {
  const partyWithGroups = toParty(party, groupIds);
  const before = computeAccessByComponent(links, links.affectedComponentsBefore, partyWithGroups);
  const after = computeAccessByComponent(links, links.affectedComponentsAfter, partyWithGroups);
  const countsBefore = countCommonRestrictions(links, before, after);
  const countsAfter = countCommonRestrictions(links, after, before);
  const changes = new Map<LinkedTables, TableChange>();
  const rows = new Map<string, TableDifference & { readonly tables: string[] }>();
  for (const linkedTables of links.affectedTables) {
    const [accessBefore, accessAfter] = [before.get(linkedTables.before), after.get(linkedTables.after)];
    const seesNothing = accessBefore?.verdict === 'none' && accessAfter?.verdict === 'none';
    if (accessBefore === undefined || accessAfter === undefined || seesNothing) {
      continue;
    }
    const removed = subtractCounts(accessBefore, countsBefore.get(linkedTables));
    const added = subtractCounts(accessAfter, countsAfter.get(linkedTables));
    // A column that restricts the tables on both sides is no difference here, even if its rules change.
    if (removed.all === 0 && added.all === 0) {
      continue;
    }
    const effect = getEffect(
      removed.widened > 0 && accessAfter.verdict !== 'none',
      added.widened > 0 && accessBefore.verdict !== 'none',
    );
    const change = { effect, before: accessBefore, after: accessAfter };
    changes.set(linkedTables, change);
    if (isReported(linkedTables, change, removed.own > 0 || added.own > 0)) {
      continue;
    }
    const difference = {
      effect,
      isUncertain: accessBefore.verdict === 'ambiguous' || accessAfter.verdict === 'ambiguous',
      before: summarizeRows(accessBefore, linkedTables),
      after: summarizeRows(accessAfter, linkedTables),
    };
    const key = JSON.stringify([effect, ...[difference.before, difference.after].map(toRowsKey)]);
    const row = rows.get(key) ?? { kind: 'tables', party, tables: [], ...difference };
    rows.set(key, row);
    row.tables.push(...linkedTables.tables);
  }
  return { rows: [...rows.values()], changes };
}

/**
 * The number of columns that restrict linked tables on one side of a change and belong to these tables on both sides.
 */
interface CommonRestrictions {
  all: number;
  /** The number of these columns that have rules for the party itself. */
  own: number;
  /** The number of these columns that show no more values on the other side of the change than on this one. */
  kept: number;
}

/** Counts, for each {@link LinkedTables}, the columns that restrict these tables on one side of a change. */
function countCommonRestrictions(
  links: ComparedLinks,
  accessByComponent: AccessByComponent,
  otherAccessByComponent: AccessByComponent,
): ReadonlyMap<LinkedTables, CommonRestrictions> {
  const otherColumns = new Map(
    [...otherAccessByComponent.values()].flatMap(({ columns }) =>
      columns.map((column) => [column.rules, column] as const),
    ),
  );
  const counts = new Map<LinkedTables, CommonRestrictions>();
  for (const column of [...accessByComponent.values()].flatMap(({ columns }) => columns)) {
    const { linkedTables, rules } = column;
    if (linkedTables !== undefined) {
      const otherRules = links.getCounterpart(rules);
      const otherColumn = otherRules && otherColumns.get(otherRules);
      const count = counts.get(linkedTables) ?? { all: 0, own: 0, kept: 0 };
      counts.set(linkedTables, count);
      count.all += 1;
      count.own += isOwn(column) ? 1 : 0;
      count.kept += mayShowMore(column, otherColumn ?? unrestrictedValues) ? 0 : 1;
    }
  }
  return counts;
}

/**
 * Returns how many columns restrict linked tables on this side only (`all`), and how many of these have rules for the
 * party itself (`own`). `widened` also counts the columns that restrict the tables less on the other side.
 */
const subtractCounts = (
  { columns, ownCount }: ComponentAccess,
  { all, own, kept }: CommonRestrictions = { all: 0, own: 0, kept: 0 },
) => ({ all: columns.length - all, own: ownCount - own, widened: columns.length - kept });

/**
 * Returns a key for visible rows. Omits the visible values: for one party and side, the name of the column determines
 * them.
 */
const toRowsKey = ({ verdict, conditionCount, conditions }: VisibleRows): readonly unknown[] => [
  verdict,
  conditionCount,
  conditions.map(({ name }) => [name.table, name.column]),
];

/**
 * Summarizes which rows of linked tables are visible: the columns that do not restrict the other side come first. If
 * no row is visible, only the columns without visible values matter.
 */
function summarizeRows(
  { verdict, relevantColumns }: ComponentAccess,
  summarizedTables: LinkedTables,
): VisibleRows {
  const restrictsBothSides = ({ linkedTables }: PartyColumn): boolean => linkedTables === summarizedTables;
  const differingColumns = relevantColumns
    .values()
    .filter((column) => !restrictsBothSides(column))
    .take(maxConditions)
    .toArray();
  const otherColumns = relevantColumns
    .values()
    .filter(restrictsBothSides)
    .take(maxConditions - differingColumns.length)
    .toArray();
  return {
    verdict,
    conditions: [...differingColumns, ...otherColumns].map(({ table, column, access, bounds }) => ({
      name: { table, column },
      access,
      bounds,
    })),
    conditionCount: relevantColumns.length,
  };
}

const leavesNothing = ({ access }: ColumnAccessResult): boolean => !isUncertain(access) && isNoValues(access);
