/** Characters with which a spreadsheet takes a cell for a formula, and the quote that keeps it from doing so. */
const guarded = /^['=+\-@\t\r]/;

/** A cell that no spreadsheet takes for a formula (it would run what a member or a group's name says). */
export const guardCell = (text: string): string => (guarded.test(text) ? `'${text}` : text);

/** What {@link guardCell} was given; a quote that guards nothing is part of the text. */
export const unguardCell = (text: string): string =>
  text.startsWith("'") && guarded.test(text.slice(1)) ? text.slice(1) : text;
