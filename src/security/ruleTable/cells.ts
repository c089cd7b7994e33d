/** Characters with which a spreadsheet takes a cell for a formula, and the quote that keeps it from doing so. */
const formulaStartPattern = /^['=+\-@\t\r]/;

/** A cell that no spreadsheet takes for a formula (it would run what a member or a group's name says). */
export const escapeFormulaCell = (text: string): string =>
  formulaStartPattern.test(text) ? `'${text}` : text;

/** What {@link escapeFormulaCell} was given; a quote that guards nothing is part of the text. */
export const unescapeFormulaCell = (text: string): string =>
  text.startsWith("'") && formulaStartPattern.test(text.slice(1)) ? text.slice(1) : text;
