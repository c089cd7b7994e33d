import type { DiagramColumn, DiagramTable } from './diagramModel.ts';
import type { Rect, Size } from './geometry.ts';

/** Heights of the parts of a box, in diagram units: one pixel each at 100% zoom. */
export const boxMetrics = { header: 32, row: 22, footer: 22, padding: 4 } as const;

/** The maximum number of columns in a collapsed box: those that relations use. */
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

/** True if a box has columns that it shows only when it is expanded. */
export const canExpand = (table: DiagramTable): boolean => countCollapsedRows(table) < table.columns.length;

/** The size of a box. It depends on names and on the number of visible rows, never on fonts: the same everywhere. */
export function getBoxSize(table: DiagramTable, isOpen: boolean): Size {
  const shown = getVisibleColumns(table, isOpen);
  // Measures all columns, even for a collapsed box, so that expanding does not make it wider.
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

/**
 * The width of a text in letters: East Asian letters and emoji count twice. Counting stops early for a very long text.
 */
function countLetters(text: string): number {
  let letters = 0;
  for (const character of text.slice(0, 60)) {
    letters += (character.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1;
  }
  return letters;
}

/**
 * The center of a column's row, from the top of the diagram. A column that is not shown is in the footer, one that does
 * not exist in the header.
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
