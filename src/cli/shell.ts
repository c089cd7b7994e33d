import { stringify } from '../base/json.ts';

/** Where a command finds what it is not told by its arguments, and where it speaks. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** All of standard input; what is waited for when it is a terminal is refused before. */
  readonly readInput: () => Promise<string>;
  readonly isInputTerminal: boolean;
  /** Progress is shown only where somebody watches. */
  readonly isErrorTerminal: boolean;
  /** What is shown there would be obeyed; what goes elsewhere stays as it is. */
  readonly isOutputTerminal: boolean;
  readonly writeData: (text: string) => void;
  readonly writeWords: (text: string) => void;
}

/** Data of a command goes to standard output, so that it can be piped; words for a person go to standard error. */
export interface CommandOutput {
  /** A line of text that a person reads as the answer. */
  line(text: string): void;
  /** Text that goes out as it is: a file's content. */
  raw(text: string): void;
  /** An answer for programs. */
  json(value: unknown): void;
  /** A sentence for a person. */
  say(text: string): void;
}

export const createCommandOutput = ({ writeData, writeWords, isOutputTerminal }: Shell): CommandOutput => ({
  line: (text) => writeData(`${stripControlCharacters(text)}\n`),
  raw: (text) => writeData(isOutputTerminal ? sanitizeTable(text) : text),
  json: (value) => writeData(`${sanitizeJson(stringify(value, 2))}\n`),
  say: (text) => writeWords(`${stripControlCharacters(text)}\n`),
});

/** A table as it may be seen: only tabs and ends of lines do something. */
const sanitizeTable = (text: string): string =>
  text.replace(/\r(?!\n)|[\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?![\t\r\n])\p{Cc}/gu, ' ');

/** The same JSON; JSON escapes only some of the signs that a terminal obeys, and they stand in its texts alone. */
const sanitizeJson = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A server's words may hold escape sequences, which a terminal would obey, and signs that turn a line around. */
export const stripControlCharacters = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' '))
    .join('\n');
