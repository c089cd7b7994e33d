import { columnType } from '../contract/columnTypes.ts';
import type { Catalog, CatalogColumn, CatalogTable } from '../sql/catalog.ts';

/** Letter case differs between a model and the dims of real viewpoints (platform-facts 5.5). */
const keyOf = (name: string): string => name.toLowerCase();

/** What the dim of a column of dates ends in (platform-facts 5.1). */
export const calendar = ' (Calendar)';

/** Finds tables and columns of a datamodel by name; columns are indexed when first asked for. */
export class Model {
  readonly tables: readonly CatalogTable[];
  /** While it is not complete, a name that is not found may still be there. */
  readonly isComplete: boolean;
  readonly #tables: ReadonlyMap<string, CatalogTable>;
  readonly #columns = new Map<CatalogTable, ReadonlyMap<string, CatalogColumn>>();

  constructor(catalog: Catalog | undefined) {
    this.tables = catalog?.tables ?? [];
    this.isComplete = catalog?.complete === true;
    this.#tables = byKey(this.tables);
  }

  table(name: string): CatalogTable | undefined {
    return this.#tables.get(keyOf(name));
  }

  column(table: CatalogTable, name: string): CatalogColumn | undefined {
    let columns = this.#columns.get(table);
    if (columns === undefined) {
      columns = byKey(table.columns);
      this.#columns.set(table, columns);
    }
    return (
      columns.get(keyOf(name)) ??
      (name.endsWith(calendar) ? columns.get(keyOf(name.slice(0, -calendar.length))) : undefined)
    );
  }

  /** The table and column that a dim names. Both names may have dots, so the model decides where one ends. */
  byDim(dim: string): { readonly table: CatalogTable; readonly column: CatalogColumn } | undefined {
    for (const { table: tableName, column: columnName } of dimSplits(dim)) {
      const table = this.table(tableName);
      const column = table === undefined ? undefined : this.column(table, columnName);
      if (table !== undefined && column !== undefined) {
        return { table, column };
      }
    }
    return undefined;
  }
}

const byKey = <T extends { readonly name: string }>(named: readonly T[]): ReadonlyMap<string, T> =>
  new Map(named.toReversed().map((item) => [keyOf(item.name), item]));

/** Whether a type code is that of dates; `undefined` where that is not known. */
export function isDateType(code: number | undefined): boolean | undefined {
  const group = columnType(code)?.group;
  return group === undefined || group === 'time' ? undefined : group === 'date-time';
}

/** The dimension of a column: `[Table.Column]`, with ` (Calendar)` for dates (spec; platform-facts 5.1). */
export const dimOf = (table: string, column: string, isDate: boolean): string =>
  `[${table}.${column}${isDate && !column.endsWith(calendar) ? calendar : ''}]`;

/** Every way to read a dim as a table and a column; none where it is not in brackets or has no dot between names. */
export function dimSplits(dim: string): readonly { readonly table: string; readonly column: string }[] {
  const inner = /^\[(.+)\]$/s.exec(dim)?.[1];
  if (inner === undefined || inner.length > 2000) {
    return [];
  }
  const splits: { table: string; column: string }[] = [];
  for (
    let dot = inner.indexOf('.', 1);
    dot !== -1 && dot < inner.length - 1;
    dot = inner.indexOf('.', dot + 1)
  ) {
    splits.push({ table: inner.slice(0, dot), column: inner.slice(dot + 1) });
  }
  return splits;
}

/** Whether two dims mean the same: letter case aside, and a doubled `]]` inside is one. */
export const sameDim = (a: string, b: string): boolean =>
  keyOf(a) === keyOf(b) || keyOf(a.replaceAll(']]', ']')) === keyOf(b.replaceAll(']]', ']'));
