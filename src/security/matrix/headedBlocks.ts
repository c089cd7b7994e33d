import type { CellBlock, BlockChange } from './blocks.ts';
import { type CellText, computeCellChanges, type VisibleMatrix, getCellText } from './computeCellChanges.ts';
import type { MatrixColumn, MatrixParty } from './ruleMatrix.ts';
import { parseGridTsv, formatGridTsv } from './gridTsv.ts';

/** Returns the display name of a user or group. */
export type PartyNameProvider = (party: MatrixParty) => string;

/** The heading of the party column. */
const cornerHeading = 'Party';

/**
 * Formats the visible rows and columns with headings for a spreadsheet. The headings are the same in every language:
 * `default`, `group Sales`, `user anna`, and `Table.Column`.
 */
export function formatWithHeadings(matrix: VisibleMatrix, getPartyName: PartyNameProvider): string {
  const { parties, columns } = matrix;
  const headings = createPartyHeadings(parties, getPartyName);
  return formatGridTsv([
    [cornerHeading, ...columns.map(formatColumnHeading)],
    ...parties.map((party) => [
      headings.get(party.key) ?? '',
      ...columns.map((column) => getCellText(matrix, party, column)),
    ]),
  ]);
}

/**
 * Returns whether a text has headings as written by {@link formatWithHeadings}. A table that the user wrote may have
 * another text in its first cell, so the heading of one column is enough: a cell is unlikely to contain that text as a
 * value.
 */
export function hasHeadings({ columns }: Pick<VisibleMatrix, 'columns'>, text: string): boolean {
  const [firstLine = ''] = text.replace(/^\u{feff}/u, '').split(/\r?\n/, 1);
  const [[corner, ...headings] = []] = parseGridTsv(firstLine);
  return (
    (corner === cornerHeading && headings.length > 0) ||
    columns.some((column) => headings.includes(formatColumnHeading(column)))
  );
}

/**
 * Pastes a table into the cells that its headings name. The table may be partial, and in any order. Nothing is pasted
 * if its first heading is that of a matrix column, so that no column names users and groups.
 * @param matrix all rows and columns of the matrix
 * @param block the selection, which stays unchanged
 */
export function pasteWithHeadings(
  matrix: VisibleMatrix,
  block: CellBlock,
  text: string,
  getPartyName: PartyNameProvider,
): BlockChange {
  const [headingRow = [], ...rows] = parseGridTsv(text);
  const headings = createPartyHeadings(matrix.parties, getPartyName);
  const parties = new Map(matrix.parties.map((party) => [headings.get(party.key), party]));
  const columns = new Map(matrix.columns.map((column) => [formatColumnHeading(column), column]));
  if (columns.has(headingRow[0] ?? '')) {
    return {
      ...computeCellChanges(matrix, []),
      cutOffCount: 0,
      unknownHeadings: [],
      isPartyColumnMissing: true,
      block,
    };
  }
  const unknownHeadings = new Set(headingRow.slice(1).filter((name) => name !== '' && !columns.has(name)));
  const cells = rows.flatMap(([name = '', ...texts]) => {
    const party = parties.get(name);
    if (party === undefined && name !== '') {
      unknownHeadings.add(name);
    }
    return texts.flatMap((cell, cellIndex): CellText[] => {
      const column = columns.get(headingRow[cellIndex + 1] ?? '');
      return party === undefined || column === undefined ? [] : [{ party, column, text: cell }];
    });
  });
  return {
    ...computeCellChanges(matrix, cells),
    cutOffCount: 0,
    unknownHeadings: [...unknownHeadings],
    block,
  };
}

const formatColumnHeading = ({ table, column }: MatrixColumn): string => toSingleLine(`${table}.${column}`);

/** Returns the heading of each party by its key. Parties of the same type and name have their IDs as headings. */
function createPartyHeadings(
  parties: readonly MatrixParty[],
  getPartyName: PartyNameProvider,
): ReadonlyMap<string, string> {
  const getHeading = (party: MatrixParty): string =>
    party.type === 'default' ? 'default' : toSingleLine(`${party.type} ${getPartyName(party)}`);
  const groups = Map.groupBy(parties, getHeading);
  return new Map(
    parties.map((party) => {
      const name = getHeading(party);
      const isUnique = groups.get(name)?.length === 1;
      return [party.key, isUnique ? name : toSingleLine(`${party.type} ${party.id ?? ''}`)];
    }),
  );
}

/** Replaces tabs and line breaks, which would end the cell. */
const toSingleLine = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');
