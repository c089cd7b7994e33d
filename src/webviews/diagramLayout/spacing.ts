/** The space between boxes: in one column, between columns, and between unconnected parts. */
export const gaps = { row: 28, column: 96, part: 72 } as const;

/** The target ratio of width to height: that of a window. */
export const targetAspectRatio = 1.6;
