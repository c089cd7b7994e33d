import { calendarSuffix, getColumnType } from '../contract/terms.ts';
import type { Catalog, CatalogColumn, CatalogTable } from '../sql/catalog.ts';

const foldName = (name: string): string => name.toLowerCase();

/** Finds tables and columns of a datamodel by name; columns are indexed on first use. */
export class DatamodelLookup {
  readonly tables: readonly CatalogTable[];
  /** If false, a table or column that is not found may still exist. */
  readonly isComplete: boolean;
  readonly #tables: NameIndex<CatalogTable>;
  readonly #columns = new Map<CatalogTable, NameIndex<CatalogColumn>>();

  constructor(catalog: Catalog | undefined) {
    this.tables = catalog?.tables ?? [];
    this.isComplete = catalog?.complete === true;
    this.#tables = new NameIndex(this.tables);
  }

  findTable(name: string): CatalogTable | undefined {
    return this.#tables.get(name);
  }

  findColumn(table: CatalogTable, name: string): CatalogColumn | undefined {
    let columns = this.#columns.get(table);
    if (columns === undefined) {
      columns = new NameIndex(table.columns);
      this.#columns.set(table, columns);
    }
    return (
      columns.get(name) ??
      (name.endsWith(calendarSuffix) ? columns.get(name.slice(0, -calendarSuffix.length)) : undefined)
    );
  }

  /**
   * Finds the table and column of a dim such as `[Table.Column]`. Names may contain dots, so every way to split the dim
   * is tried.
   */
  findByDim(dim: string): { readonly table: CatalogTable; readonly column: CatalogColumn } | undefined {
    for (const { table: tableName, column: columnName } of splitDim(dim)) {
      const table = this.findTable(tableName);
      const column = table === undefined ? undefined : this.findColumn(table, columnName);
      if (table !== undefined && column !== undefined) {
        return { table, column };
      }
    }
    return undefined;
  }
}

/**
 * Finds items by name: exactly, or else ignoring letter case, which differs between datamodels and the dims of real
 * viewpoints (platform-facts.md, 5.5). Of several items with the same name, the first is found.
 */
class NameIndex<T extends { readonly name: string }> {
  readonly #exact: ReadonlyMap<string, T>;
  readonly #folded: ReadonlyMap<string, T>;

  constructor(items: readonly T[]) {
    const reversedItems = items.toReversed();
    this.#exact = new Map(reversedItems.map((item) => [item.name, item]));
    this.#folded = new Map(reversedItems.map((item) => [foldName(item.name), item]));
  }

  get(name: string): T | undefined {
    return this.#exact.get(name) ?? this.#folded.get(foldName(name));
  }
}

/**
 * Returns whether a type code is a date type. `undefined` for an unknown code, and for times and other types that
 * viewpoints don't support: these don't decide the form of a dim.
 */
export function isDateType(code: number | undefined): boolean | undefined {
  const group = getColumnType(code)?.group;
  return group === undefined || group === 'time' || group === 'other' ? undefined : group === 'date-time';
}

/**
 * Formats the dimension of a column: `[Table.Column]`, with ` (Calendar)` for dates (rest-api.md, "Column metadata";
 * platform-facts.md, 5.1).
 */
export const formatDim = (table: string, column: string, isDate: boolean): string =>
  `[${table}.${column}${isDate && !column.endsWith(calendarSuffix) ? calendarSuffix : ''}]`;

/** The maximum length of a dim that is split: a longer one is not that of real names. */
const maxDimLength = 2000;

/**
 * Returns every way to split a dim into table and column; none if it is not in brackets, has no dot between names, or
 * is too long.
 */
export function splitDim(dim: string): readonly { readonly table: string; readonly column: string }[] {
  const inner = /^\[(.+)\]$/s.exec(dim)?.[1];
  if (inner === undefined || inner.length > maxDimLength) {
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

/** Returns whether two dims are equivalent: letter case is ignored, and `]]` equals `]`. */
export const isSameDim = (a: string, b: string): boolean =>
  foldName(a) === foldName(b) || foldName(a.replaceAll(']]', ']')) === foldName(b.replaceAll(']]', ']'));
