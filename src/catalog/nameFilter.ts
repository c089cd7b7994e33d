import { type Column, type Table, getColumnName, getTableName } from '../contract/table.ts';

/** Text that filters names: every word of it must occur, ignoring case. */
export class NameFilter {
  readonly text: string;
  readonly #words: readonly string[];

  constructor(text: string) {
    this.text = text.trim();
    this.#words = foldCase(this.text)
      .split(/\s+/)
      .filter((word) => word !== '');
  }

  /** False for a text without words, which would match everything. */
  get isActive(): boolean {
    return this.#words.length > 0;
  }

  matches(name: string): boolean {
    const foldedName = foldCase(name);
    return this.#words.every((word) => foldedName.includes(word));
  }

  /** True if the name of the table or of one of its columns matches. */
  matchesTable(table: Table): boolean {
    return (
      this.matches(getTableName(table)) || (table.columns ?? []).some((column) => this.matchesColumn(column))
    );
  }

  /** The matching tables; all of them if none matches, since then it was the name of their parent that matched. */
  filterTables(tables: readonly Table[]): readonly Table[] {
    return getMatchesOrAll(tables, (table) => this.matchesTable(table));
  }

  /** The matching columns of a table; all of them if none matches. */
  filterColumns(columns: readonly Column[]): readonly Column[] {
    return getMatchesOrAll(columns, (column) => this.matchesColumn(column));
  }

  matchesColumn(column: Column): boolean {
    return this.matches(getColumnName(column));
  }
}

export const emptyNameFilter = new NameFilter('');

function getMatchesOrAll<T>(items: readonly T[], matches: (item: T) => boolean): readonly T[] {
  const matchingItems = items.filter(matches);
  return matchingItems.length === 0 ? items : matchingItems;
}

/** Normalizes a name, so that case and the encoding of composed characters do not matter. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
