import type { DiagramColumn, DiagramTable } from './diagramModel.ts';
import type { Rect, Size } from './geometry.ts';

/** Heights of the parts of a box, in units of the picture: a pixel each where it is not zoomed. */
export const boxMetrics = { header: 32, row: 22, footer: 22, padding: 4 } as const;

/** How many columns a closed box shows at most: those that relations go through. */
const maxCollapsedRows = 8;
const minWidth = 150;
const maxWidth = 320;
const letterWidth = 7.4;
const badgeSpace = 104;

/** The columns whose rows a box shows. */
export const getVisibleColumns = (table: DiagramTable, isOpen: boolean): readonly DiagramColumn[] =>
  isOpen ? table.columns : table.columns.slice(0, countCollapsedRows(table));

function countCollapsedRows({ columns }: DiagramTable): number {
  const keys = columns.findIndex(({ isKey }) => !isKey);
  return Math.min(keys < 0 ? columns.length : keys, maxCollapsedRows);
}

/** True where a box has columns that it only shows when it is open. */
export const canExpand = (table: DiagramTable): boolean => countCollapsedRows(table) < table.columns.length;

/** The size of a box. It depends on names and on how many rows are shown, never on fonts: the same everywhere. */
export function getBoxSize(table: DiagramTable, isOpen: boolean): Size {
  const shown = getVisibleColumns(table, isOpen);
  // Of all columns, also of a closed box: it does not become wider by being opened.
  const longest = table.columns.reduce(
    (letters, { name }) => Math.max(letters, countLetters(name)),
    countLetters(table.name),
  );
  return {
    width: Math.round(Math.min(maxWidth, Math.max(minWidth, longest * letterWidth + badgeSpace))),
    height:
      boxMetrics.header +
      shown.length * boxMetrics.row +
      (canExpand(table) ? boxMetrics.footer : 0) +
      (shown.length > 0 || canExpand(table) ? boxMetrics.padding : 0),
  };
}

/** How wide a text is, in letters: East Asian letters and emoji count twice. What is too long is not counted to its end. */
function countLetters(text: string): number {
  let letters = 0;
  for (const character of text.slice(0, 60)) {
    letters += (character.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1;
  }
  return letters;
}

/**
 * Where the row of a column is in its box, from the top of the picture. A column that is not shown is in the footer, one
 * that is not there at all in the header.
 */
export function getRowCenter(
  table: DiagramTable,
  isOpen: boolean,
  box: Rect,
  column: string | undefined,
): number {
  const index = getVisibleColumns(table, isOpen).findIndex(({ id }) => id === column);
  if (index >= 0) {
    return box.y + boxMetrics.header + (index + 0.5) * boxMetrics.row;
  }
  return column === undefined || !canExpand(table)
    ? box.y + boxMetrics.header / 2
    : box.y + box.height - boxMetrics.padding - boxMetrics.footer / 2;
}
