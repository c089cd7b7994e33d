import type { Catalog } from '../../sql/language.ts';
import type { CatalogNames } from '../catalogNames.ts';
import type { ColumnRuleIndex, Party } from '../columnAccess.ts';
import { type ColumnAccessResult, getPartyAccess } from '../effectiveAccess.ts';
import type { GetGroupIds } from '../membership/memberships.ts';
import type { PartyRef } from '../readRule.ts';
import { type ColumnName, getTableAccess, type TableAccess } from '../tableAccess.ts';
import { isAllValues, isNoValues } from '../valueSet.ts';
import type { AccessEffect, TableDifference, VisibleRows } from './accessDifferenceRow.ts';
import { getEffect, toParty } from './columnDifferences.ts';

/** The tables of a datamodel and its effective rules, on one side of a change. */
export interface TablesWithRules {
  readonly catalog: Catalog;
  readonly names: CatalogNames;
  /** The rules on columns that exist. */
  readonly columns: readonly ColumnRuleIndex[];
}

/** The maximum number of users and groups to compute the access to tables for. */
const maxParties = 20;

/** The maximum number of restricting columns to list for a row. */
const maxConditions = 3;

/**
 * Finds the parties that see other rows of tables because relations, tables or columns are added or removed, so that
 * other columns with rules restrict the tables. Changes of the rules themselves are not included. Computes the access
 * of at most {@link maxParties} parties that rules on these columns name, and returns the number of the others.
 */
export function findTableDifferences(
  before: TablesWithRules,
  after: TablesWithRules,
  getGroupIds: GetGroupIds,
): { readonly rows: readonly TableDifference[]; readonly otherPartyCount: number } {
  const links = new ComparedLinks(before.catalog, after.catalog);
  const sides = { before, after, getGroupIds };
  const affectedColumns = [...before.columns, ...after.columns].filter(
    (column) => links.isChanged(column.table) || !existsOnBothSides(sides, column),
  );
  if (affectedColumns.length === 0) {
    return { rows: [], otherPartyCount: 0 };
  }
  const keys = new Set(affectedColumns.flatMap(({ byParty }) => [...byParty.keys()]));
  keys.delete('default:');
  const hasGroupRules = keys.values().some((key) => key.startsWith('group:'));
  // Groups come first.
  const namedKeys = [...keys].sort((a, b) => Number(isUserKey(a)) - Number(isUserKey(b)));
  const parties = namedKeys.slice(0, maxParties).map((key): PartyRef => {
    const id = key.slice(key.indexOf(':') + 1);
    return { type: isUserKey(key) ? 'user' : 'group', id };
  });
  const everyoneElse = compareTables(links, sides, { type: 'default' }, new Map());
  const partyRows = parties.flatMap((party) => {
    const { rows } = compareTables(links, sides, party, everyoneElse.effects);
    const dependsOnGroups =
      party.type === 'user' && hasGroupRules && getGroupIds(party.id ?? '') === undefined;
    return dependsOnGroups ? rows.map((row) => ({ ...row, isUncertain: true })) : rows;
  });
  return {
    rows: [...everyoneElse.rows, ...partyRows],
    otherPartyCount: Math.max(0, namedKeys.length - maxParties),
  };
}

interface ComparedSides {
  readonly before: TablesWithRules;
  readonly after: TablesWithRules;
  readonly getGroupIds: GetGroupIds;
}

const existsOnBothSides = (
  { before, after }: Omit<ComparedSides, 'getGroupIds'>,
  { table, column }: ColumnName,
): boolean => !before.names.isMissing(table, column) && !after.names.isMissing(table, column);

const isUserKey = (key: string): boolean => key.startsWith('user:');

/** Tables that exist on both sides of the change and are linked with each other on both. */
interface TableClass {
  readonly tables: string[];
  /** The {@link getComponents component} of the tables before the change. */
  readonly componentBefore: number;
  readonly componentAfter: number;
}

/** The links between tables, before and after the change. */
class ComparedLinks {
  readonly classes: readonly TableClass[];
  /** The {@link getComponents components} before the change, by table. */
  readonly componentsBefore: ReadonlyMap<string, number>;
  readonly componentsAfter: ReadonlyMap<string, number>;
  readonly #classesByComponents = new Map<string, TableClass>();
  /** The number of tables of each component that exist on both sides. */
  readonly #sizesBefore = new Map<number | undefined, number>();
  readonly #sizesAfter = new Map<number | undefined, number>();

  constructor(before: Catalog, after: Catalog) {
    this.componentsBefore = getComponents(before);
    this.componentsAfter = getComponents(after);
    for (const [table, componentBefore] of this.componentsBefore) {
      const componentAfter = this.componentsAfter.get(table);
      if (componentAfter !== undefined) {
        const key = `${componentBefore}:${componentAfter}`;
        const tableClass = this.#classesByComponents.get(key) ?? {
          tables: [],
          componentBefore,
          componentAfter,
        };
        this.#classesByComponents.set(key, tableClass);
        tableClass.tables.push(table);
        increment(this.#sizesBefore, componentBefore);
        increment(this.#sizesAfter, componentAfter);
      }
    }
    this.classes = [...this.#classesByComponents.values()];
  }

  getClass(table: string): TableClass | undefined {
    return this.#classesByComponents.get(
      `${this.componentsBefore.get(table)}:${this.componentsAfter.get(table)}`,
    );
  }

  /** Returns whether a table is linked with different tables after the change, of those that exist on both sides. */
  isChanged(table: string): boolean {
    const count = this.getClass(table)?.tables.length ?? 0;
    const oldCount = this.#sizesBefore.get(this.componentsBefore.get(table)) ?? 0;
    const newCount = this.#sizesAfter.get(this.componentsAfter.get(table)) ?? 0;
    return oldCount !== count || newCount !== count;
  }
}

const increment = <K>(counts: Map<K, number>, key: K): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

/**
 * Returns the connected component of each table, as a number: the tables that relations link, directly or through
 * others.
 */
function getComponents(catalog: Catalog): ReadonlyMap<string, number> {
  const components = new Map<TableAccess['columns'], number>();
  return new Map(
    getTableAccess([], catalog).map(({ table, columns }) => {
      // Linked tables share one list of columns.
      const component = components.get(columns) ?? components.size;
      components.set(columns, component);
      return [table, component];
    }),
  );
}

/** A party's access on one side. */
interface PartySide {
  readonly results: readonly ColumnAccessResult[];
  readonly tables: ReadonlyMap<string, TableAccess>;
}

function createPartySide({ columns, catalog }: TablesWithRules, party: Party): PartySide {
  const results = getPartyAccess(columns, party);
  return {
    results,
    tables: new Map(getTableAccess(results, catalog).map((access) => [access.table, access])),
  };
}

const isRestricting = ({ access }: ColumnAccessResult): boolean =>
  typeof access === 'string' || !isAllValues(access);

/**
 * Compares the access of one party to all tables.
 * @param everyoneElseEffects the effects on everyone else: the same effect is not reported again for a party that has
 *   no rules of its own on the differing columns
 */
function compareTables(
  links: ComparedLinks,
  sides: ComparedSides,
  party: PartyRef,
  everyoneElseEffects: ReadonlyMap<TableClass, AccessEffect>,
): { readonly rows: readonly TableDifference[]; readonly effects: ReadonlyMap<TableClass, AccessEffect> } {
  const groupIds = party.type === 'user' ? sides.getGroupIds(party.id ?? '') : undefined;
  const partyWithGroups = toParty(party, groupIds);
  const [before, after] = [
    createPartySide(sides.before, partyWithGroups),
    createPartySide(sides.after, partyWithGroups),
  ];
  const getClassOnBothSides = (column: ColumnName): TableClass | undefined =>
    existsOnBothSides(sides, column) ? links.getClass(column.table) : undefined;
  const countsBefore = countRestrictions(before.results, links.componentsBefore, getClassOnBothSides);
  const countsAfter = countRestrictions(after.results, links.componentsAfter, getClassOnBothSides);
  const summarizeRows = createSummarizer();
  const effects = new Map<TableClass, AccessEffect>();
  const rows = new Map<string, TableDifference & { readonly tables: string[] }>();
  for (const tableClass of links.classes) {
    const [table = ''] = tableClass.tables;
    const [accessBefore, accessAfter] = [before.tables.get(table), after.tables.get(table)];
    // A column that restricts the tables on both sides is no difference here, even if its rules change.
    const removedRestrictions = getDifferingRestrictions(
      countsBefore,
      tableClass.componentBefore,
      tableClass,
    );
    const addedRestrictions = getDifferingRestrictions(countsAfter, tableClass.componentAfter, tableClass);
    const seesNothing = accessBefore?.verdict === 'none' && accessAfter?.verdict === 'none';
    if (
      accessBefore === undefined ||
      accessAfter === undefined ||
      (removedRestrictions === 'none' && addedRestrictions === 'none') ||
      seesNothing
    ) {
      continue;
    }
    const effect = getEffect(
      removedRestrictions !== 'none' && accessAfter.verdict !== 'none',
      addedRestrictions !== 'none' && accessBefore.verdict !== 'none',
    );
    effects.set(tableClass, effect);
    if (
      removedRestrictions !== 'own' &&
      addedRestrictions !== 'own' &&
      everyoneElseEffects.get(tableClass) === effect
    ) {
      continue;
    }
    const restrictsBothSides = (column: ColumnName): boolean => getClassOnBothSides(column) === tableClass;
    const difference = {
      effect,
      isUncertain: accessBefore.verdict === 'ambiguous' || accessAfter.verdict === 'ambiguous',
      before: summarizeRows(accessBefore, restrictsBothSides),
      after: summarizeRows(accessAfter, restrictsBothSides),
    };
    const key = JSON.stringify([difference.before, difference.after].map(toRowsKey));
    const row = rows.get(key) ?? { kind: 'tables', party, tables: [], ...difference };
    rows.set(key, row);
    row.tables.push(...tableClass.tables);
  }
  return { rows: [...rows.values()], effects };
}

/** The number of columns that restrict tables: of all columns, and of those with rules for the party itself. */
interface RestrictionCount {
  all: number;
  own: number;
}

interface RestrictionCounts {
  readonly byComponent: ReadonlyMap<number, RestrictionCount>;
  /** Counts only columns that exist on both sides, by the class of their tables. */
  readonly onBothSides: ReadonlyMap<TableClass, RestrictionCount>;
}

/** Counts the columns that restrict linked tables on one side. */
function countRestrictions(
  results: readonly ColumnAccessResult[],
  components: ReadonlyMap<string, number>,
  getClassOnBothSides: (column: ColumnName) => TableClass | undefined,
): RestrictionCounts {
  const byComponent = new Map<number, RestrictionCount>();
  const onBothSides = new Map<TableClass, RestrictionCount>();
  for (const column of results.filter(isRestricting)) {
    const component = components.get(column.table);
    if (component !== undefined) {
      const isOwn = column.applied.some(({ matchedType }) => matchedType !== 'default');
      addRestriction(byComponent, component, isOwn);
      const tableClass = getClassOnBothSides(column);
      if (tableClass !== undefined) {
        addRestriction(onBothSides, tableClass, isOwn);
      }
    }
  }
  return { byComponent, onBothSides };
}

function addRestriction<K>(counts: Map<K, RestrictionCount>, key: K, isOwn: boolean): void {
  const count = counts.get(key) ?? { all: 0, own: 0 };
  count.all += 1;
  count.own += isOwn ? 1 : 0;
  counts.set(key, count);
}

/**
 * Returns which columns restrict the tables of a class on this side of the change only: none, only columns with rules
 * for everyone else, or also columns with rules for the party itself.
 */
function getDifferingRestrictions(
  { byComponent, onBothSides }: RestrictionCounts,
  component: number,
  tableClass: TableClass,
): 'none' | 'default' | 'own' {
  const count = byComponent.get(component);
  const countOnBothSides = onBothSides.get(tableClass);
  if ((count?.own ?? 0) > (countOnBothSides?.own ?? 0)) {
    return 'own';
  }
  return (count?.all ?? 0) > (countOnBothSides?.all ?? 0) ? 'default' : 'none';
}

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
 * Returns a function that summarizes which rows of a table are visible: the columns that do not restrict the other side
 * come first. If no row is visible, only the columns without visible values matter.
 */
function createSummarizer(): (
  access: TableAccess,
  restrictsBothSides: (column: ColumnName) => boolean,
) => VisibleRows {
  // Linked tables share one list.
  const relevantColumnsByList = new Map<TableAccess['columns'], TableAccess['columns']>();
  return ({ verdict, columns }, restrictsBothSides) => {
    const relevantColumns =
      relevantColumnsByList.get(columns) ?? (verdict === 'none' ? columns.filter(leavesNothing) : columns);
    relevantColumnsByList.set(columns, relevantColumns);
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
  };
}

const leavesNothing = ({ access }: ColumnAccessResult): boolean =>
  typeof access !== 'string' && isNoValues(access);
