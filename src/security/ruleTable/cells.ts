/** Characters that make a spreadsheet read a cell as a formula, and the quote that prevents it. */
const formulaStartPattern = /^['=+\-@\t\r]/;

/** Escapes a cell so that no spreadsheet reads it as a formula (it would execute the name of a member or group). */
export const escapeFormulaCell = (text: string): string =>
  formulaStartPattern.test(text) ? `'${text}` : text;

/** Reverses {@link escapeFormulaCell}; a quote that escapes nothing is part of the text. */
export const unescapeFormulaCell = (text: string): string =>
  text.startsWith("'") && formulaStartPattern.test(text.slice(1)) ? text.slice(1) : text;
