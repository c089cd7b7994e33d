import type { DiagramColumn, DiagramTable } from './diagramModel.ts';
import type { Rect, Size } from './geometry.ts';

/** Heights of the parts of a box, in diagram units: pixels at 100% zoom. */
export const boxMetrics = { header: 32, row: 22, footer: 22, padding: 4 } as const;

/** A collapsed box shows at most this many of the columns that relations use. */
const maxCollapsedRows = 8;
const minWidth = 150;
const maxWidth = 320;
const letterWidth = 7.4;
const badgeSpace = 104;

/** The columns that a box shows. */
export const getVisibleColumns = (table: DiagramTable, isExpanded: boolean): readonly DiagramColumn[] =>
  isExpanded ? table.columns : table.columns.slice(0, countCollapsedRows(table));

function countCollapsedRows({ columns }: DiagramTable): number {
  // The columns that relations use come first.
  const firstOtherIndex = columns.findIndex(({ isInRelation }) => !isInRelation);
  return Math.min(firstOtherIndex < 0 ? columns.length : firstOtherIndex, maxCollapsedRows);
}

/** True if a box has columns that it shows only when it is expanded. */
export const canExpand = (table: DiagramTable): boolean => countCollapsedRows(table) < table.columns.length;

/** Computes the size of a box. It depends on names and visible rows, but not on fonts, so it is the same everywhere. */
export function getBoxSize(table: DiagramTable, isExpanded: boolean): Size {
  const visibleColumns = getVisibleColumns(table, isExpanded);
  // Measures all columns, even of a collapsed box, so that its width stays the same when it is expanded.
  const maxLetterCount = table.columns.reduce(
    (letters, { name }) => Math.max(letters, estimateLetterCount(name)),
    estimateLetterCount(table.name),
  );
  return {
    width: Math.round(Math.min(maxWidth, Math.max(minWidth, maxLetterCount * letterWidth + badgeSpace))),
    height:
      boxMetrics.header +
      visibleColumns.length * boxMetrics.row +
      (canExpand(table) ? boxMetrics.footer : 0) +
      (visibleColumns.length > 0 || canExpand(table) ? boxMetrics.padding : 0),
  };
}

/**
 * Estimates the width of a text in letters: East Asian characters and emoji count twice. Only the first 60 UTF-16 units
 * are counted.
 */
function estimateLetterCount(text: string): number {
  let letters = 0;
  for (const character of text.slice(0, 60)) {
    letters += (character.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1;
  }
  return letters;
}

/**
 * Returns the vertical center of a column's row; of the footer if the box shows the column only when it is expanded; of
 * the header if `column` is `undefined`.
 */
export function getRowCenter(
  table: DiagramTable,
  isExpanded: boolean,
  box: Rect,
  column: string | undefined,
): number {
  const index = getVisibleColumns(table, isExpanded).findIndex(({ id }) => id === column);
  if (index >= 0) {
    return box.y + boxMetrics.header + (index + 0.5) * boxMetrics.row;
  }
  return column === undefined || !canExpand(table)
    ? box.y + boxMetrics.header / 2
    : box.y + box.height - boxMetrics.padding - boxMetrics.footer / 2;
}
