/** Returns the ID of a column in a datamodel that is made from files: names, which identify it. */
export const createColumnId = (table: string, column: string): string => JSON.stringify([table, column]);
