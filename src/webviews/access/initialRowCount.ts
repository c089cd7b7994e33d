/** The initial number of rows of a list; a datamodel can have tens of thousands of columns. */
export const initialRowCount = 200;
