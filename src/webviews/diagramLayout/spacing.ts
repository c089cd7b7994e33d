/** The space between boxes: of one column, between columns, and between parts that have nothing to do with each other. */
export const gaps = { row: 28, column: 96, part: 72 } as const;

/** How much wider than high a picture is meant to be: as a window is. */
export const targetAspectRatio = 1.6;
