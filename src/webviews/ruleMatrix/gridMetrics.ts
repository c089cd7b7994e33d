/** The fixed sizes of the parts of the grid, in pixels. */
export const rowHeight = 26;
export const headerHeight = 30;
export const columnWidth = 184;
export const partyColumnWidth = 220;
