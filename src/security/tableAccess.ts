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

/** A column whose rules restrict a table. */
export interface Restriction {
  readonly column: ColumnResult;
  /** The shortest way there; no steps when the column is the table's own. */
  readonly path: readonly RelationStep[];
}

/** `some`: rows that join allowed values everywhere. `ambiguous`: some rules leave open what the party sees. */
export type TableVerdict = 'all' | 'some' | 'none' | 'ambiguous';

export interface TableAccess {
  readonly table: string;
  readonly verdict: TableVerdict;
  /** The columns that restrict it; all tables that are linked with each other share one list. */
  readonly columns: readonly ColumnResult[];
  /** Those columns with the ways to them, the nearest first; worked out when it is asked for. */
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
  const linked = new Map<string, Linked>();
  return catalog.tables.map(({ name }) => {
    const known = linked.get(name);
    if (known !== undefined) {
      return new AccessOfTable(name, known, links);
    }
    const tables = [...stepsFrom(name, links).keys()];
    const own = tables.flatMap((table) => restricting.get(table) ?? []);
    const found = { columns: own, verdict: verdictOn(own) };
    tables.forEach((table) => linked.set(table, found));
    return new AccessOfTable(name, found, links);
  });
}

/** What tables have in common that relations link with each other, over however many others. */
type Linked = Pick<TableAccess, 'columns' | 'verdict'>;

class AccessOfTable implements TableAccess {
  readonly table: string;
  readonly verdict: TableVerdict;
  readonly columns: readonly ColumnResult[];
  readonly #links: Links;

  constructor(table: string, { columns, verdict }: Linked, links: Links) {
    this.table = table;
    this.columns = columns;
    this.verdict = verdict;
    this.#links = links;
  }

  get restrictions(): readonly Restriction[] {
    const steps = stepsFrom(this.table, this.#links);
    const order = new Map([...steps.keys()].map((table, index) => [table, index]));
    const placeOf = ({ table }: ColumnResult): number => order.get(table) ?? 0;
    return this.columns
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((column) => new RestrictionOn(column, steps));
  }
}

/** A datamodel of many tables has many ways, and they are long: each is worked out where it is shown. */
class RestrictionOn implements Restriction {
  readonly column: ColumnResult;
  readonly #steps: StepsTo;

  constructor(column: ColumnResult, steps: StepsTo) {
    this.column = column;
    this.#steps = steps;
  }

  get path(): readonly RelationStep[] {
    const path: RelationStep[] = [];
    for (let step = this.#steps.get(this.column.table); step; step = this.#steps.get(step.from.table)) {
      path.push(step);
    }
    return path.reverse();
  }
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
function verdictOn(columns: readonly ColumnResult[]): TableVerdict {
  const accesses = columns.map(({ access }) => access);
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

/** The last step of the shortest way to each table that is linked to one; that one has none. The nearest come first. */
type StepsTo = ReadonlyMap<string, RelationStep | undefined>;

function stepsFrom(start: string, links: Links): StepsTo {
  const steps = new Map<string, RelationStep | undefined>([[start, undefined]]);
  // A map that grows while it is walked is a queue: breadth first, so ways are the shortest.
  for (const [near] of steps) {
    for (const step of links.get(near) ?? []) {
      if (!steps.has(step.to.table)) {
        steps.set(step.to.table, step);
      }
    }
  }
  return steps;
}
