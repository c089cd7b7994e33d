import type { Catalog, CatalogRelation } from '../sql/language.ts';
import { CatalogNames } from './catalogNames.ts';
import { isUncertain } from './columnAccess.ts';
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
  /** The restricting columns with the paths to them, nearest first. Computed each time the property is read. */
  readonly restrictions: readonly Restriction[];
  /** Returns at most `maxCount` restrictions, nearest first. Visits no more tables than needed. */
  getNearestRestrictions(maxCount: number): readonly Restriction[];
}

/**
 * Computes a party's access to each table. A rule on a column also limits the rows of all linked tables (rest-api.md,
 * "What the service does"), and rules on several columns apply together (AND, platform-facts.md, 3.3). If relations
 * form a cycle, the shortest path is reported.
 * @param columns the party's access to each column that has rules
 * @param catalog the tables of the datamodel with their relations
 * @param names the names in the catalog, if they are indexed already
 */
export function getTableAccess(
  columns: readonly ColumnAccessResult[],
  catalog: Catalog,
  names: CatalogNames = new CatalogNames(catalog),
): readonly TableAccess[] {
  const links = getTableLinks(catalog.relations ?? []);
  const restrictingColumns = Map.groupBy(
    columns.filter((column) => mayRestrict(column) && !names.isMissing(column.table, column.column)),
    ({ table }) => table,
  );
  const sharedAccessByName = new Map<string, SharedTableAccess>();
  return catalog.tables.map(({ name }) => {
    const existingAccess = sharedAccessByName.get(name);
    if (existingAccess !== undefined) {
      return new LinkedTableAccess(name, existingAccess);
    }
    const tables = [...new TableWalker(name, links)];
    const linkedColumns = tables.flatMap((table) => restrictingColumns.get(table) ?? []);
    const sharedAccess = {
      columns: linkedColumns,
      verdict: getTableVerdict(linkedColumns),
      restrictingColumns,
      links,
    };
    tables.forEach((table) => sharedAccessByName.set(table, sharedAccess));
    return new LinkedTableAccess(name, sharedAccess);
  });
}

/** The access shared by all tables that are linked by relations, directly or through other tables. */
interface SharedTableAccess extends Pick<TableAccess, 'columns' | 'verdict'> {
  readonly restrictingColumns: ReadonlyMap<string, readonly ColumnAccessResult[]>;
  readonly links: TableLinks;
}

class LinkedTableAccess implements TableAccess {
  readonly table: string;
  readonly #sharedAccess: SharedTableAccess;

  constructor(table: string, sharedAccess: SharedTableAccess) {
    this.table = table;
    this.#sharedAccess = sharedAccess;
  }

  get verdict(): TableVerdict {
    return this.#sharedAccess.verdict;
  }

  get columns(): readonly ColumnAccessResult[] {
    return this.#sharedAccess.columns;
  }

  get restrictions(): readonly Restriction[] {
    return this.getNearestRestrictions(this.columns.length);
  }

  getNearestRestrictions(maxCount: number): readonly Restriction[] {
    const { columns, restrictingColumns, links } = this.#sharedAccess;
    const count = Math.min(maxCount, columns.length);
    const restrictions: Restriction[] = [];
    const walker = new TableWalker(this.table, links);
    for (const table of walker) {
      if (restrictions.length >= count) {
        break;
      }
      restrictions.push(
        ...(restrictingColumns.get(table) ?? []).map((column) => new ColumnRestriction(column, walker)),
      );
    }
    return restrictions.slice(0, count);
  }
}

/** A restriction that computes its path only when it is read, since large datamodels have many long paths. */
class ColumnRestriction implements Restriction {
  readonly column: ColumnAccessResult;
  readonly #walker: TableWalker;

  constructor(column: ColumnAccessResult, walker: TableWalker) {
    this.column = column;
    this.#walker = walker;
  }

  get path(): readonly RelationStep[] {
    return this.#walker.getPathTo(this.column.table);
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

/** Returns whether rules hide values of a column from a party, or might, if that's uncertain. */
export const mayRestrict = ({ access }: ColumnAccessResult): boolean =>
  isUncertain(access) || !isAllValues(access);

/**
 * Returns the verdict for linked tables. A column without visible values leaves no rows, even if others are uncertain.
 */
export function getTableVerdict(columns: readonly ColumnAccessResult[]): TableVerdict {
  const accesses = columns.map(({ access }) => access);
  if (accesses.some((access) => !isUncertain(access) && isNoValues(access))) {
    return 'none';
  }
  if (accesses.some(isUncertain)) {
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
    for (const [table] of this.#steps) {
      yield table;
      for (const step of this.#links.get(table) ?? []) {
        if (!this.#steps.has(step.to.table)) {
          this.#steps.set(step.to.table, step);
        }
      }
    }
  }

  getPathTo(table: string): readonly RelationStep[] {
    const path: RelationStep[] = [];
    for (let step = this.#steps.get(table); step; step = this.#steps.get(step.from.table)) {
      path.push(step);
    }
    return path.reverse();
  }
}
