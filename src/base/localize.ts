/**
 * Translates a message: `vscode.l10n.t`, or {@link english} outside the editor. Placeholders are `{0}`, `{1}` and so
 * on.
 */
export type Localize = (text: string, ...values: readonly (string | number)[]) => string;

/** Marks a table of English texts that are translated when they are shown, so that `npm run l10n` finds them. */
export const translatable = <const Table extends Readonly<Record<string, string>>>(table: Table): Table =>
  table;

/** A text that is translated where it is shown, with the values of its placeholders. */
export interface Message {
  readonly text: string;
  readonly values: readonly (string | number | Message)[];
}

/** Creates a message from an English text, which `npm run l10n` finds, and the values of its placeholders. */
export const createMessage = (text: string, ...values: Message['values']): Message => ({ text, values });

/** Returns a message in the language of `localize`. */
export const formatMessage = (localize: Localize, { text, values }: Message): string =>
  localize(
    text,
    ...values.map((value) => (typeof value === 'object' ? formatMessage(localize, value) : value)),
  );

/** An error that says what the user can do. Its own `message` is English. */
export class MessageError extends Error {
  override readonly name: string = 'MessageError';
  /** The message, to be shown in the language of the user. */
  readonly userMessage: Message;

  constructor(userMessage: Message) {
    super(formatMessage(english, userMessage));
    this.userMessage = userMessage;
  }
}

/** Returns the English message from the code, with its placeholders filled in. */
export const english: Localize = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (placeholder, index: string) => String(values[Number(index)] ?? placeholder));
