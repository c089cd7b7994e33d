/** Matches characters that make a spreadsheet read a cell as a formula, and the quote that prevents this. */
const formulaStartPattern = /^['=+\-@\t\r]/;

/** Escapes a cell so that no spreadsheet executes it as a formula: names of groups and values may contain anything. */
export const escapeFormulaCell = (text: string): string =>
  formulaStartPattern.test(text) ? `'${text}` : text;

/** Reverses {@link escapeFormulaCell}; a quote that escapes nothing is part of the text. */
export const unescapeFormulaCell = (text: string): string =>
  text.startsWith("'") && formulaStartPattern.test(text.slice(1)) ? text.slice(1) : text;
