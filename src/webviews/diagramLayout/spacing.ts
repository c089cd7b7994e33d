/** The space between boxes in a column, between columns, and between connected components, in diagram units. */
export const gaps = { row: 28, column: 96, component: 72 } as const;

/** The target ratio of width to height, which is about that of a window. */
export const targetAspectRatio = 1.6;
