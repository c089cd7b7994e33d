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
    const folded = foldCase(name);
    return this.#words.every((word) => folded.includes(word));
  }

  /** Matches by its own name or by that of one of its columns. */
  matchesTable(table: Table): boolean {
    return (
      this.matches(getTableName(table)) || (table.columns ?? []).some((column) => this.matchesColumn(column))
    );
  }

  /** The matching tables. If none matches, their parent did, and all are shown. */
  tables(tables: readonly Table[]): readonly Table[] {
    return matchingOrAll(tables, (table) => this.matchesTable(table));
  }

  /** The columns to show below a table, by the same logic. */
  columns(columns: readonly Column[]): readonly Column[] {
    return matchingOrAll(columns, (column) => this.matchesColumn(column));
  }

  matchesColumn(column: Column): boolean {
    return this.matches(getColumnName(column));
  }
}

export const emptyNameFilter = new NameFilter('');

function matchingOrAll<T>(things: readonly T[], matches: (thing: T) => boolean): readonly T[] {
  const matching = things.filter(matches);
  return matching.length === 0 ? things : matching;
}

/** Makes names equal that differ only in case or in composed characters. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
