import Papa from 'papaparse';
import { unescapeFormulaCell } from './formulaCells.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import { parseColumnHeading, requiredColumns, type RuleTableColumn, ruleTableColumns } from './columns.ts';
import type { TableProblem } from './tableRule.ts';

/** The cells of a row by column; a missing column is an empty cell. */
export interface TableRow {
  /** The number of the row in the table, starting at 1. Blank rows and the heading count. */
  readonly rowNumber: number;
  getCell(column: RuleTableColumn): string;
}

export interface ParsedTable {
  readonly rows: readonly TableRow[];
  readonly problems: readonly TableProblem[];
}

const delimiters = [',', '\t', ';'] as const;

/** Parses the rows of a table of rules from CSV or TSV text. Returns no rows if the table itself has a problem. */
export function parseTableRows(text: string): ParsedTable {
  const content = text.startsWith('\u{feff}') ? text.slice(1) : text;
  const delimiter = detectDelimiter(content);
  const { data, errors } = Papa.parse<string[]>(normalizeLineEndings(content, delimiter), {
    delimiter,
    newline: '\n',
  });
  const headingIndex = data.findIndex((cells) => !isBlankRow(cells));
  const heading = data[headingIndex];
  if (heading === undefined) {
    return { rows: [], problems: [createProblem('empty', 1)] };
  }
  const columns = heading.map(parseColumnHeading);
  const missing = requiredColumns.filter((column) => !columns.includes(column));
  const problems: TableProblem[] = [
    ...(missing.length === 0 ? [] : [createProblem('missing-column', headingIndex + 1, missing.join(', '))]),
    ...errors
      .filter(({ type }) => type === 'Quotes')
      .slice(0, 1)
      .map(({ row = 0 }) => createProblem('quotes', row + 1)),
  ];
  const ignored = findIgnoredColumns(heading, columns, headingIndex + 1);
  if (problems.length > 0) {
    // The file may not be a table of rules at all. Only warn of columns with a mistyped name.
    return { rows: [], problems: [...problems, ...ignored.filter(({ args }) => args.length > 1)] };
  }
  const numberedRows = data.flatMap((cells, index) =>
    index <= headingIndex || isBlankRow(cells) ? [] : [{ cells, row: index + 1 }],
  );
  return {
    rows: numberedRows.map(({ cells, row }) => createTableRow(columns, cells, row)),
    problems: [
      ...ignored,
      ...numberedRows.flatMap(({ cells, row }) => findSurplusFields(cells, columns.length, row)),
    ],
  };
}

/** Warns of columns that are ignored: the name of an optional column may be mistyped. */
function findIgnoredColumns(
  heading: readonly string[],
  columns: readonly (RuleTableColumn | undefined)[],
  row: number,
): readonly TableProblem[] {
  const otherColumns = ruleTableColumns.filter((column) => !columns.includes(column));
  return heading.flatMap((name, index): readonly TableProblem[] => {
    if (columns[index] !== undefined || name.trim() === '') {
      return [];
    }
    const closest = findClosestNames(name.trim().toLowerCase(), otherColumns).slice(0, 1);
    return [{ ...createProblem('ignored-column', row, name.trim(), ...closest), severity: 'warning' }];
  });
}

/** Warns of text beyond the last column, which is ignored: a value may lack its quotes. */
function findSurplusFields(
  cells: readonly string[],
  columnCount: number,
  row: number,
): readonly TableProblem[] {
  const surplusCell = cells.slice(columnCount).find((cell) => cell.trim() !== '');
  return surplusCell === undefined
    ? []
    : [{ ...createProblem('surplus-field', row, surplusCell), severity: 'warning' }];
}

/**
 * Normalizes line endings, which may be mixed in files edited with several tools; quoted cells are kept unchanged. A
 * quote that isn't at the start of a cell is part of its text. The pattern has no group for each character, which would
 * overflow the stack in a cell of several million characters, such as one whose quotes are not closed.
 */
const normalizeLineEndings = (text: string, delimiter: string): string =>
  text.includes('\r')
    ? text.replaceAll(new RegExp(`(?<=^|[\\r\\n${delimiter}])"[^"]*(?:""[^"]*)*"|\\r\\n?`, 'g'), (match) =>
        match.startsWith('"') ? match : '\n',
      )
    : text;

const isBlankRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

const createProblem = (
  code: TableProblem['code'],
  row: number,
  ...args: readonly string[]
): TableProblem => ({
  code,
  severity: 'error',
  row,
  args,
});

const createTableRow = (
  columns: readonly (RuleTableColumn | undefined)[],
  cells: readonly string[],
  rowNumber: number,
): TableRow => ({
  rowNumber,
  getCell: (column) => unescapeFormulaCell(cells[columns.indexOf(column)] ?? ''),
});

/** Returns the delimiter that yields the most known headings in the first line that is not blank. */
export function detectDelimiter(text: string): string {
  const firstLine = /^\s*(\S.*)$/m.exec(text)?.[1] ?? '';
  const countKnownHeadings = (delimiter: string): number => {
    const [heading = []] = Papa.parse<string[]>(firstLine, { delimiter }).data;
    return heading.filter((cell) => parseColumnHeading(cell) !== undefined).length;
  };
  return delimiters.toSorted((a, b) => countKnownHeadings(b) - countKnownHeadings(a))[0] ?? ',';
}
