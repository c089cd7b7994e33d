import type { Block, BlockChange } from './blocks.ts';
import { type CellText, applyCellTexts, type VisibleMatrix, getCellText } from './putCells.ts';
import type { MatrixColumn, MatrixParty } from './ruleMatrix.ts';
import { readTsv, writeTsv } from './tsv.ts';

/** Returns the display name of a user or group. */
export type PartyNameProvider = (party: MatrixParty) => string;

/** The heading of the party column. Pasted text that starts with it is a table with headings. */
const cornerHeading = 'Party';

/**
 * Formats the visible rows and columns with headings for a spreadsheet. The headings are the same in every language:
 * `default`, `group Sales`, `user anna`, and `Table.Column`.
 */
export function formatWithHeadings(shown: VisibleMatrix, getPartyName: PartyNameProvider): string {
  const { parties, columns } = shown;
  const headings = createPartyHeadings(parties, getPartyName);
  return writeTsv([
    [cornerHeading, ...columns.map(formatColumnHeading)],
    ...parties.map((party) => [
      headings.get(party.key) ?? '',
      ...columns.map((column) => getCellText(shown, party, column)),
    ]),
  ]);
}

/** Returns whether a text has headings as written by {@link formatWithHeadings}. */
export const hasHeadings = (text: string): boolean =>
  text.replace(/^\u{feff}/u, '').startsWith(`${cornerHeading}\t`);

/**
 * Pastes a table into the cells that its headings name. The table may be partial, and in any order.
 * @param matrix all rows and columns of the matrix
 * @param block the selection, which stays unchanged
 */
export function pasteWithHeadings(
  shown: VisibleMatrix,
  block: Block,
  text: string,
  getPartyName: PartyNameProvider,
): BlockChange {
  const [heading = [], ...rows] = readTsv(text);
  const headings = createPartyHeadings(shown.parties, getPartyName);
  const parties = new Map(shown.parties.map((party) => [headings.get(party.key), party]));
  const columns = new Map(shown.columns.map((column) => [formatColumnHeading(column), column]));
  const unknown = new Set(heading.slice(1).filter((name) => name !== '' && !columns.has(name)));
  const cells = rows.flatMap(([name = '', ...texts]) => {
    const party = parties.get(name);
    if (party === undefined && name !== '') {
      unknown.add(name);
    }
    return texts.flatMap((cell, at): CellText[] => {
      const column = columns.get(heading[at + 1] ?? '');
      return party === undefined || column === undefined ? [] : [{ party, column, text: cell }];
    });
  });
  return { ...applyCellTexts(shown, cells), beyond: 0, unknown: [...unknown], block };
}

const formatColumnHeading = ({ table, column }: MatrixColumn): string => toSingleLine(`${table}.${column}`);

/** Returns the heading of each party by its key. Parties of the same type and name have their IDs as headings. */
function createPartyHeadings(
  parties: readonly MatrixParty[],
  getPartyName: PartyNameProvider,
): ReadonlyMap<string, string> {
  const named = (party: MatrixParty): string =>
    party.type === 'default' ? 'default' : toSingleLine(`${party.type} ${getPartyName(party)}`);
  const groups = Map.groupBy(parties, named);
  return new Map(
    parties.map((party) => {
      const name = named(party);
      const isOnly = groups.get(name)?.length === 1;
      return [party.key, isOnly ? name : toSingleLine(`${party.type} ${party.id ?? ''}`)];
    }),
  );
}

/** Replaces tabs and line breaks, which would end the cell. */
const toSingleLine = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');
