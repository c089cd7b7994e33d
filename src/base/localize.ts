/**
 * Translates a message: `vscode.l10n.t`, or {@link english} outside the editor. Placeholders are `{0}`, `{1}` and so
 * on.
 */
export type Localize = (text: string, ...values: readonly (string | number)[]) => string;

/** Returns the English message from the code, with its placeholders filled in. */
export const english: Localize = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (placeholder, index: string) => String(values[Number(index)] ?? placeholder));
