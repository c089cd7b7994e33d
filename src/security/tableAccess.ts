import type { Catalog, CatalogRelation } from '../sql/language.ts';
import { CatalogNames } from './catalogNames.ts';
import type { ColumnAccessResult } from './effectiveAccess.ts';
import { isAllValues, isNoValues } from './valueSet.ts';

export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** A join in a relation, from a column of one table to a column of another. */
export interface RelationStep {
  readonly from: ColumnName;
  readonly to: ColumnName;
}

/** A column whose rules restrict a table. */
export interface Restriction {
  readonly column: ColumnAccessResult;
  /** The shortest path to the column; no steps when it belongs to the table itself. */
  readonly path: readonly RelationStep[];
}

/** `some`: rows that join allowed values everywhere. `ambiguous`: some rules make the result uncertain. */
export type TableVerdict = 'all' | 'some' | 'none' | 'ambiguous';

export interface TableAccess {
  readonly table: string;
  readonly verdict: TableVerdict;
  /** The columns that restrict it; all linked tables share one list. */
  readonly columns: readonly ColumnAccessResult[];
  /** Those columns with the paths to them, nearest first; computed on access. */
  readonly restrictions: readonly Restriction[];
  /** The given number of nearest restrictions; costs no more than visiting the tables nearby. */
  getNearestRestrictions(most: number): readonly Restriction[];
}

/**
 * Finds the rules that restrict each table: a rule also limits the rows of all linked tables (rest-api.md, "What the
 * service does"), and rules on several columns apply together (AND, platform-facts.md, 3.3). If relations form a cycle,
 * the shortest path is reported.
 * @param columns the party's access to each column that has rules
 * @param catalog the tables of the datamodel with their relations
 */
export function getTableAccess(
  columns: readonly ColumnAccessResult[],
  catalog: Catalog,
): readonly TableAccess[] {
  const links = getTableLinks(catalog.relations ?? []);
  const names = new CatalogNames(catalog);
  const restricting = Map.groupBy(
    columns.filter((each) => isRestricting(each) && !names.isMissing(each.table, each.column)),
    ({ table }) => table,
  );
  const linked = new Map<string, LinkedTables>();
  return catalog.tables.map(({ name }) => {
    const known = linked.get(name);
    if (known !== undefined) {
      return new LinkedTableAccess(name, known);
    }
    const tables = [...new TableWalker(name, links)];
    const own = tables.flatMap((table) => restricting.get(table) ?? []);
    const found = { columns: own, verdict: getTableVerdict(own), restricting, links };
    tables.forEach((table) => linked.set(table, found));
    return new LinkedTableAccess(name, found);
  });
}

/** Shared by all tables linked by relations, directly or through others. */
interface LinkedTables extends Pick<TableAccess, 'columns' | 'verdict'> {
  readonly restricting: ReadonlyMap<string, readonly ColumnAccessResult[]>;
  readonly links: TableLinks;
}

class LinkedTableAccess implements TableAccess {
  readonly table: string;
  readonly #linked: LinkedTables;

  constructor(table: string, linked: LinkedTables) {
    this.table = table;
    this.#linked = linked;
  }

  get verdict(): TableVerdict {
    return this.#linked.verdict;
  }

  get columns(): readonly ColumnAccessResult[] {
    return this.#linked.columns;
  }

  get restrictions(): readonly Restriction[] {
    return this.getNearestRestrictions(this.columns.length);
  }

  getNearestRestrictions(most: number): readonly Restriction[] {
    const { columns, restricting, links } = this.#linked;
    const wanted = Math.min(most, columns.length);
    const found: Restriction[] = [];
    const walk = new TableWalker(this.table, links);
    for (const table of walk) {
      if (found.length >= wanted) {
        break;
      }
      found.push(...(restricting.get(table) ?? []).map((column) => new ColumnRestriction(column, walk)));
    }
    return found.slice(0, wanted);
  }
}

/** A datamodel with many tables has many long paths, so each is computed only when shown. */
class ColumnRestriction implements Restriction {
  readonly column: ColumnAccessResult;
  readonly #walk: TableWalker;

  constructor(column: ColumnAccessResult, walk: TableWalker) {
    this.column = column;
    this.#walk = walk;
  }

  get path(): readonly RelationStep[] {
    return this.#walk.getPathTo(this.column.table);
  }
}

/** Rules on tables or columns that do not exist protect nothing (platform-facts.md, 3.1): they have no effect. */
export function findIneffectiveColumns(
  columns: readonly ColumnAccessResult[],
  catalog: Catalog,
): readonly ColumnName[] {
  const names = new CatalogNames(catalog);
  return columns
    .filter(({ table, column }) => names.isMissing(table, column))
    .map(({ table, column }) => ({ table, column }));
}

const isRestricting = ({ access }: ColumnAccessResult): boolean =>
  typeof access === 'string' || !isAllValues(access);

/** A column with no visible values leaves no rows in any linked table, however uncertain the rest is. */
function getTableVerdict(columns: readonly ColumnAccessResult[]): TableVerdict {
  const accesses = columns.map(({ access }) => access);
  if (accesses.some((access) => typeof access !== 'string' && isNoValues(access))) {
    return 'none';
  }
  if (accesses.some((access) => typeof access === 'string')) {
    return 'ambiguous';
  }
  return accesses.length === 0 ? 'all' : 'some';
}

type TableLinks = ReadonlyMap<string, readonly RelationStep[]>;

/** The steps out of each table; a relation of more than two columns joins each with each. */
function getTableLinks(relations: readonly CatalogRelation[]): TableLinks {
  const steps = relations.flatMap(({ columns }) =>
    columns.flatMap((from) =>
      columns.filter(({ table }) => table !== from.table).map((to) => ({ from, to })),
    ),
  );
  return Map.groupBy(steps, ({ from }) => from.table);
}

/** Visits the tables linked to one table, nearest first, and knows the shortest path to each table visited so far. */
class TableWalker implements Iterable<string> {
  /** The last step to each table; the start table has none. */
  readonly #steps: Map<string, RelationStep | undefined>;
  readonly #links: TableLinks;

  constructor(start: string, links: TableLinks) {
    this.#steps = new Map([[start, undefined]]);
    this.#links = links;
  }

  *[Symbol.iterator](): Iterator<string> {
    // A map that grows while it is iterated works as a queue: breadth first, so paths are the shortest.
    for (const [near] of this.#steps) {
      yield near;
      for (const step of this.#links.get(near) ?? []) {
        if (!this.#steps.has(step.to.table)) {
          this.#steps.set(step.to.table, step);
        }
      }
    }
  }

  getPathTo(table: string): readonly RelationStep[] {
    const way: RelationStep[] = [];
    for (let step = this.#steps.get(table); step; step = this.#steps.get(step.from.table)) {
      way.push(step);
    }
    return way.reverse();
  }
}
