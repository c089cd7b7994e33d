/**
 * Translates a sentence for the user: the editor's `l10n.t`, or {@link english}. Placeholders are `{0}`, `{1}` and so
 * on.
 */
export type Localize = (text: string, ...values: readonly (string | number)[]) => string;

/** The sentence as written in the code, with its placeholders filled. */
export const english: Localize = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (hole, index: string) => String(values[Number(index)] ?? hole));
