import { type Column, type Table, getColumnName, getTableName } from '../contract/table.ts';

/** Text that names are filtered by: every word of it must be found, in any letter case. */
export class NameFilter {
  readonly text: string;
  readonly #words: readonly string[];

  constructor(text: string) {
    this.text = text.trim();
    this.#words = foldCase(this.text)
      .split(/\s+/)
      .filter((word) => word !== '');
  }

  /** False for a text without a word, which everything would match. */
  get isActive(): boolean {
    return this.#words.length > 0;
  }

  matches(name: string): boolean {
    const folded = foldCase(name);
    return this.#words.every((word) => folded.includes(word));
  }

  /** By its own name, or by that of one of its columns. */
  matchesTable(table: Table): boolean {
    return (
      this.matches(getTableName(table)) || (table.columns ?? []).some((column) => this.matchesColumn(column))
    );
  }

  /**
   * The tables to show where `tables` are: those that match. Where none does, what is above them matched, and all
   * are shown.
   */
  tables(tables: readonly Table[]): readonly Table[] {
    return matchingOrAll(tables, (table) => this.matchesTable(table));
  }

  /** The columns to show below a table, in the same way. */
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

/** Letter case and composed characters aside, names that look the same are the same. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
