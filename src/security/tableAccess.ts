import type { Catalog, CatalogRelation } from '../sql/language.ts';
import { CatalogNames } from './catalogNames.ts';
import type { ColumnAccessResult } from './effectiveAccess.ts';
import { isAllValues, isNoValues } from './valueSet.ts';

export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** A join between a column of one table and a column of another, from a relation. */
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

/** `some`: only rows that join with allowed values in all restricted columns. `ambiguous`: the access is uncertain. */
export type TableVerdict = 'all' | 'some' | 'none' | 'ambiguous';

export interface TableAccess {
  readonly table: string;
  readonly verdict: TableVerdict;
  /** The columns that restrict the table; all linked tables share one list. */
  readonly columns: readonly ColumnAccessResult[];
  /** The restricting columns with the paths to them, nearest first; computed on access. */
  readonly restrictions: readonly Restriction[];
  /** Returns at most that many restrictions, nearest first. Visits no more tables than needed. */
  getNearestRestrictions(most: number): readonly Restriction[];
}

/**
 * Computes a party's access to each table. A rule on a column also limits the rows of all linked tables (rest-api.md,
 * "What the service does"), and rules on several columns apply together (AND, platform-facts.md, 3.3). If relations
 * form a cycle, the shortest path is reported.
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

/** The access shared by all tables that are linked by relations, directly or through other tables. */
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

/** A restriction that computes its path only on access, since large datamodels have many long paths. */
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

/** Finds columns with rules that do not exist, so that the rules protect nothing (platform-facts.md, 3.1). */
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

/**
 * Returns the verdict for linked tables. A column without visible values leaves no rows, even if others are uncertain.
 */
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

/**
 * Returns the joins by the table that they start from. A relation of more than two columns joins each with all others.
 */
function getTableLinks(relations: readonly CatalogRelation[]): TableLinks {
  const steps = relations.flatMap(({ columns }) =>
    columns.flatMap((from) =>
      columns.filter(({ table }) => table !== from.table).map((to) => ({ from, to })),
    ),
  );
  return Map.groupBy(steps, ({ from }) => from.table);
}

/** Visits the tables linked to one table, nearest first, and records the shortest path to each visited table. */
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
