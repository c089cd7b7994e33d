/** Sizes in pixels of what the grid is made of; the style sheet draws, and nothing else measures. */
export const rowHeight = 26;
export const headerHeight = 30;
export const columnWidth = 184;
export const partyColumnWidth = 220;
