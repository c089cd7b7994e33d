/** Sizes in pixels of the parts of the grid; nothing is measured in the page. */
export const rowHeight = 26;
export const headerHeight = 30;
export const columnWidth = 184;
export const partyColumnWidth = 220;
