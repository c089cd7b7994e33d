import type { DiagramColumn, DiagramTable } from './diagramModel.ts';
import type { Rect, Size } from './geometry.ts';

/** Heights of the parts of a box, in units of the picture: a pixel each where it is not zoomed. */
export const metrics = { header: 32, row: 22, footer: 22, padding: 4 } as const;

/** How many columns a closed box shows at most: those that relations go through. */
const mostClosed = 8;
const narrowest = 150;
const widest = 320;
const letter = 7.4;
const besideName = 104;

/** The columns whose rows a box shows. */
export const shownColumns = (table: DiagramTable, isOpen: boolean): readonly DiagramColumn[] =>
  isOpen ? table.columns : table.columns.slice(0, closedCount(table));

function closedCount({ columns }: DiagramTable): number {
  const keys = columns.findIndex(({ isKey }) => !isKey);
  return Math.min(keys < 0 ? columns.length : keys, mostClosed);
}

/** True where a box has columns that it only shows when it is open. */
export const canOpen = (table: DiagramTable): boolean => closedCount(table) < table.columns.length;

/** The size of a box. It depends on names and on how many rows are shown, never on fonts: the same everywhere. */
export function boxSize(table: DiagramTable, isOpen: boolean): Size {
  const shown = shownColumns(table, isOpen);
  // Of all columns, also of a closed box: it does not become wider by being opened.
  const longest = table.columns.reduce(
    (letters, { name }) => Math.max(letters, lettersOf(name)),
    lettersOf(table.name),
  );
  return {
    width: Math.round(Math.min(widest, Math.max(narrowest, longest * letter + besideName))),
    height:
      metrics.header +
      shown.length * metrics.row +
      (canOpen(table) ? metrics.footer : 0) +
      (shown.length > 0 || canOpen(table) ? metrics.padding : 0),
  };
}

/** How wide a text is, in letters: East Asian letters and emoji count twice. What is too long is not counted to its end. */
function lettersOf(text: string): number {
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
export function rowCentre(
  table: DiagramTable,
  isOpen: boolean,
  box: Rect,
  column: string | undefined,
): number {
  const index = shownColumns(table, isOpen).findIndex(({ id }) => id === column);
  if (index >= 0) {
    return box.y + metrics.header + (index + 0.5) * metrics.row;
  }
  return column === undefined || !canOpen(table)
    ? box.y + metrics.header / 2
    : box.y + box.height - metrics.padding - metrics.footer / 2;
}
