import type { Catalog, CatalogRelation } from '../sql/language.ts';
import { CatalogNames } from './catalogNames.ts';
import type { ColumnResult } from './effectiveAccess.ts';
import { isEverything, isNothing } from './valueSet.ts';

export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** A join from a column of one table to a column of another, as a relation has it. */
export interface RelationStep {
  readonly from: ColumnName;
  readonly to: ColumnName;
}

/** A column whose rules restrict a table, and the way there; no steps when it is the table's own. */
export interface Restriction {
  readonly column: ColumnResult;
  readonly path: readonly RelationStep[];
}

/** `some`: rows that join allowed values everywhere. `ambiguous`: some rules leave open what the party sees. */
export type TableVerdict = 'all' | 'some' | 'none' | 'ambiguous';

export interface TableAccess {
  readonly table: string;
  readonly verdict: TableVerdict;
  /** The nearest first. */
  readonly restrictions: readonly Restriction[];
}

/**
 * Which rules restrict each table. "Once a party has any rule on a datamodel, results are limited to the allowed
 * values across all linked tables" (spec, "What the service does"), and what rules on several columns allow must hold
 * together (AND, platform-facts 3.3). Where relations form a circle, the shortest way is told.
 * @param columns what the party sees of each column that has rules
 * @param catalog the tables of the datamodel with their relations
 */
export function accessOfTables(columns: readonly ColumnResult[], catalog: Catalog): readonly TableAccess[] {
  const links = neighbours(catalog.relations ?? []);
  const names = new CatalogNames(catalog);
  const restricting = Map.groupBy(
    columns.filter((each) => isRestricting(each) && !names.lacks(each.table, each.column)),
    ({ table }) => table,
  );
  const reached = [...restricting].map(([table, ofTable]) => ({ ofTable, paths: pathsTo(table, links) }));
  return catalog.tables.map(({ name }) => {
    const restrictions = reached
      .flatMap(({ ofTable, paths }) => {
        const path = paths.get(name);
        return path === undefined ? [] : ofTable.map((column) => ({ column, path }));
      })
      .sort((a, b) => a.path.length - b.path.length);
    return { table: name, verdict: verdictOn(restrictions), restrictions };
  });
}

/** Rules on tables or columns that do not exist protect nothing (platform-facts 3.1): they are of no effect. */
export function rulesWithoutEffect(
  columns: readonly ColumnResult[],
  catalog: Catalog,
): readonly ColumnName[] {
  const names = new CatalogNames(catalog);
  return columns
    .filter(({ table, column }) => names.lacks(table, column))
    .map(({ table, column }) => ({ table, column }));
}

const isRestricting = ({ access }: ColumnResult): boolean =>
  typeof access === 'string' || !isEverything(access);

/** One column of which nothing may be seen leaves no row of any linked table, whatever else is in doubt. */
function verdictOn(restrictions: readonly Restriction[]): TableVerdict {
  const accesses = restrictions.map(({ column }) => column.access);
  if (accesses.some((access) => typeof access !== 'string' && isNothing(access))) {
    return 'none';
  }
  if (accesses.some((access) => typeof access === 'string')) {
    return 'ambiguous';
  }
  return accesses.length === 0 ? 'all' : 'some';
}

type Links = ReadonlyMap<string, readonly RelationStep[]>;

/** The steps out of each table; a relation of more than two columns joins each with each. */
function neighbours(relations: readonly CatalogRelation[]): Links {
  const steps = relations.flatMap(({ columns }) =>
    columns.flatMap((from) =>
      columns.filter(({ table }) => table !== from.table).map((to) => ({ from, to })),
    ),
  );
  return Map.groupBy(steps, ({ from }) => from.table);
}

/** The shortest way from every table that is linked to the given one. */
function pathsTo(table: string, links: Links): ReadonlyMap<string, readonly RelationStep[]> {
  const paths = new Map<string, readonly RelationStep[]>([[table, []]]);
  // A map that grows while it is walked is a queue: breadth first, so paths are the shortest.
  for (const [near, path] of paths) {
    for (const { from, to } of links.get(near) ?? []) {
      if (!paths.has(to.table)) {
        paths.set(to.table, [{ from: to, to: from }, ...path]);
      }
    }
  }
  return paths;
}
