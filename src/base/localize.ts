/**
 * Translates a message: `vscode.l10n.t`, or {@link english} outside the editor. Placeholders are `{0}`, `{1}` and so
 * on.
 */
export type Localize = (text: string, ...values: readonly (string | number)[]) => string;

/** Marks a table of English texts that are translated when they are shown, so that `npm run l10n` finds them. */
export const translatable = <const Table extends Readonly<Record<string, string>>>(table: Table): Table =>
  table;

/** Returns the English message from the code, with its placeholders filled in. */
export const english: Localize = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (placeholder, index: string) => String(values[Number(index)] ?? placeholder));
