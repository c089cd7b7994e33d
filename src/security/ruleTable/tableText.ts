import type { TextEdit } from '../../base/textEdit.ts';
import { formatValues } from '../values/formatValues.ts';
import { parseValues } from '../values/valueText.ts';
import { parseColumnHeading, type RuleTableColumn } from './columns.ts';
import { escapeFormulaCell, unescapeFormulaCell } from './formulaCells.ts';
import { detectDelimiter } from './parseTableRows.ts';

/** The location of a problem in a table: a row, and the columns that it may be in. */
export interface TableLocation {
  /** The number of the row; blank rows and the heading count. */
  readonly row: number;
  /**
   * The problem is in the first of these columns that has text. If the table has none of them, it is in the whole row.
   */
  readonly columns: readonly RuleTableColumn[];
}

/** A correction of a name or value that is wrong in several rows. */
export interface TableFix {
  readonly rows: readonly number[];
  readonly columns: readonly RuleTableColumn[];
  /** The name or value to replace; a cell with another text is left alone. */
  readonly from: string;
  readonly to: string;
}

interface CellRange {
  readonly start: number;
  readonly end: number;
}

/** The cells of a table of rules in its text, where {@link parseRuleTable} has found problems. */
export class TableText {
  readonly #text: string;
  readonly #delimiter: string;
  readonly #rows: readonly (readonly CellRange[])[];
  readonly #columns: readonly (RuleTableColumn | undefined)[];

  constructor(text: string) {
    this.#text = text;
    this.#delimiter = detectDelimiter(text.replace(/^\u{feff}/u, ''));
    this.#rows = findCells(text, this.#delimiter);
    const heading = this.#rows.find((cells) => cells.some((cell) => this.#getCellText(cell).trim() !== ''));
    this.#columns = (heading ?? []).map((cell) => parseColumnHeading(this.#getCellText(cell)));
  }

  /** Returns the range of a location; the start of the text if it has no such row. */
  locate({ row, columns }: TableLocation): CellRange {
    const cells = this.#rows[row - 1] ?? [];
    const [first, last] = [cells[0], cells.at(-1)];
    return (
      this.#findCell(cells, columns) ??
      (first === undefined || last === undefined
        ? { start: 0, end: 0 }
        : { start: first.start, end: last.end })
    );
  }

  /** Returns the edits that replace a name, or a value in a list of values. */
  createEdits({ rows, columns, from, to }: TableFix): readonly TextEdit[] {
    return [...new Set(rows)].flatMap((row): readonly TextEdit[] => {
      const range = this.#findCell(this.#rows[row - 1] ?? [], columns);
      const oldText = range === undefined ? '' : this.#getCellText(range);
      const newText = replaceInCell(oldText, { columns, from, to });
      return range === undefined || newText === undefined
        ? []
        : [{ ...range, newText: this.#formatCell(newText) }];
    });
  }

  #findCell(cells: readonly CellRange[], columns: readonly RuleTableColumn[]): CellRange | undefined {
    const found = columns
      .map((column) => cells[this.#columns.indexOf(column)])
      .filter((cell) => cell !== undefined);
    return found.find((cell) => this.#getCellText(cell).trim() !== '') ?? found[0];
  }

  #getCellText({ start, end }: CellRange): string {
    const raw = this.#text.slice(start, end);
    const quoted = /^"([^]*)"\s*$/.exec(raw)?.[1];
    return unescapeFormulaCell(quoted === undefined ? raw : quoted.replaceAll('""', '"'));
  }

  #formatCell(text: string): string {
    const cell = escapeFormulaCell(text);
    const needsQuotes = cell.includes(this.#delimiter) || /["\r\n]|^\s|\s$/.test(cell);
    return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
}

/** Returns the new text of a cell; `undefined` if it doesn't contain what is to be replaced. */
function replaceInCell(text: string, { columns, from, to }: Omit<TableFix, 'rows'>): string | undefined {
  if (columns.includes('value')) {
    const values = parseValues(text);
    return values.includes(from)
      ? formatValues(new Set(values.map((value) => (value === from ? to : value))))
      : undefined;
  }
  return text === from || text.trim() === from ? to : undefined;
}

/**
 * Finds the cells of a CSV or TSV text. Outside quoted cells, any kind of line break ends a row; inside, it is part of
 * the cell.
 */
function findCells(text: string, delimiter: string): readonly (readonly CellRange[])[] {
  const rows: CellRange[][] = [[]];
  let index = text.startsWith('\u{feff}') ? 1 : 0;
  while (index <= text.length) {
    const start = index;
    const end = findCellEnd(text, start, delimiter);
    rows.at(-1)?.push({ start, end });
    if (text[end] === delimiter) {
      index = end + 1;
    } else {
      index = end + (text.startsWith('\r\n', end) ? 2 : 1);
      rows.push([]);
    }
  }
  return rows;
}

function findCellEnd(text: string, start: number, delimiter: string): number {
  let index = start;
  if (text[start] === '"') {
    const closing = /"[^"]*(?:""[^"]*)*"/y;
    closing.lastIndex = start;
    index = closing.test(text) ? closing.lastIndex : text.length;
  }
  while (index < text.length && text[index] !== delimiter && text[index] !== '\n' && text[index] !== '\r') {
    index += 1;
  }
  return index;
}
