import type { Block, BlockChange } from './blocks.ts';
import { type CellText, putCells, type Shown, textOf } from './putCells.ts';
import type { MatrixColumn, MatrixParty } from './ruleMatrix.ts';
import { readTsv, writeTsv } from './tsv.ts';

/** What people call a user or group. */
export type NameOf = (party: MatrixParty) => string;

/** What stands over the parties; by it a table with headings is told from one without. */
const corner = 'Party';

/**
 * The rows and columns that are shown, under headings, so that they can be told apart in a spreadsheet. Headings are the
 * same in every language: `default`, `group Sales`, `user anna`, and `Table.Column`.
 */
export function copyHeaded(shown: Shown, nameOf: NameOf): string {
  const { parties, columns } = shown;
  const headings = partyHeadings(parties, nameOf);
  return writeTsv([
    [corner, ...columns.map(columnHeading)],
    ...parties.map((party) => [
      headings.get(party.key) ?? '',
      ...columns.map((column) => textOf(shown, party, column)),
    ]),
  ]);
}

/** Whether a text has headings as {@link copyHeaded} writes them. */
export const isHeaded = (text: string): boolean => text.replace(/^\u{feff}/u, '').startsWith(`${corner}\t`);

/**
 * A table with headings, in any order and as much of it as there is, into the cells that its headings name.
 * @param shown all rows and columns of the matrix
 * @param block what is selected, and stays so
 */
export function pasteHeaded(shown: Shown, block: Block, text: string, nameOf: NameOf): BlockChange {
  const [heading = [], ...rows] = readTsv(text);
  const headings = partyHeadings(shown.parties, nameOf);
  const parties = new Map(shown.parties.map((party) => [headings.get(party.key), party]));
  const columns = new Map(shown.columns.map((column) => [columnHeading(column), column]));
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
  return { ...putCells(shown, cells), beyond: 0, unknown: [...unknown], block };
}

const columnHeading = ({ table, column }: MatrixColumn): string => plain(`${table}.${column}`);

/** A name that two of a kind share is no heading: their identifiers are. */
function partyHeadings(parties: readonly MatrixParty[], nameOf: NameOf): ReadonlyMap<string, string> {
  const named = (party: MatrixParty): string =>
    party.type === 'default' ? 'default' : plain(`${party.type} ${nameOf(party)}`);
  const groups = Map.groupBy(parties, named);
  return new Map(
    parties.map((party) => {
      const name = named(party);
      const isOnly = groups.get(name)?.length === 1;
      return [party.key, isOnly ? name : plain(`${party.type} ${party.id ?? ''}`)];
    }),
  );
}

/** Tabs and line breaks would end the cell. */
const plain = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');
