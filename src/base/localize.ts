/**
 * Puts a sentence into the language of whoever reads it: the editor's `l10n.t`, or {@link english}. Holes are `{0}`,
 * `{1}` and so on.
 */
export type Localize = (text: string, ...values: readonly (string | number)[]) => string;

/** The sentence as the code has it, with its holes filled. */
export const english: Localize = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (hole, index: string) => String(values[Number(index)] ?? hole));
