import { styleText } from 'node:util';
import { stringify } from '../base/json.ts';

/** The environment of a command beyond its arguments, and its output streams. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Reads all of standard input; a terminal is rejected earlier, since reading would wait. */
  readonly readInput: () => Promise<string>;
  readonly isInputTerminal: boolean;
  /** Progress is shown only on a terminal. */
  readonly isErrorTerminal: boolean;
  /** A terminal interprets control characters, so a file's content is printed there without them. */
  readonly isOutputTerminal: boolean;
  readonly writeData: (text: string) => void;
  readonly writeMessage: (text: string) => void;
}

/** What a message is about; it has a color on a terminal. */
export type Tone = 'success' | 'error' | 'warning';

/** Data of a command goes to standard output, so that it can be piped; messages go to standard error. */
export interface CommandOutput {
  /** Prints a line of the result as text. */
  printLine(text: string): void;
  /** Prints a file's content: unchanged, except that a terminal gets no control characters. */
  printRaw(text: string): void;
  /** Prints a result for programs. */
  printJson(value: unknown): void;
  /** Prints a message. */
  printMessage(text: string, tone?: Tone): void;
  /** On a terminal, shows a line that the next one replaces; elsewhere, nothing. Without a text, removes the line. */
  showProgress(text?: string): void;
}

const toneColors = { success: 'green', error: 'red', warning: 'yellow' } as const;

/** Moves the cursor to the start of the line and erases the line. */
const eraseLine = '\r\u001b[2K';

/** Returns whether a terminal understands control sequences. */
export const hasControlSequences = ({ isErrorTerminal, env }: Shell): boolean =>
  isErrorTerminal && env['TERM'] !== 'dumb';

/** Creates the output of a command. Colors are off if `NO_COLOR` is set (https://no-color.org). */
export function createCommandOutput(shell: Shell): CommandOutput {
  const { writeData, writeMessage, isOutputTerminal, env } = shell;
  const canErase = hasControlSequences(shell);
  const hasColors = canErase && !env['NO_COLOR'];
  let isProgressShown = false;
  const removeProgress = (): void => {
    if (isProgressShown) {
      isProgressShown = false;
      writeMessage(eraseLine);
    }
  };
  const write = (text: string): void => {
    removeProgress();
    writeData(text);
  };
  return {
    printLine: (text) => write(`${stripControlCharacters(text)}\n`),
    printRaw: (text) => write(isOutputTerminal ? sanitizeTable(text) : text),
    printJson: (value) => write(`${sanitizeJson(stringify(value, 2))}\n`),
    printMessage: (text, tone) => {
      removeProgress();
      const plainText = stripControlCharacters(text);
      writeMessage(`${hasColors && tone !== undefined ? colorize(plainText, tone) : plainText}\n`);
    },
    showProgress: (text) => {
      removeProgress();
      if (canErase && text !== undefined) {
        isProgressShown = true;
        writeMessage(stripControlCharacters(text).replaceAll('\n', ' '));
      }
    },
  };
}

const colorize = (text: string, tone: Tone): string =>
  styleText(toneColors[tone], text, { validateStream: false });

/** Makes a table safe to print: the only control characters left are tabs and line ends. */
const sanitizeTable = (text: string): string =>
  text.replace(/\r(?!\n)|[\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?![\t\r\n])\p{Cc}/gu, ' ');

/**
 * Escapes all control characters in JSON; JSON itself escapes only some of those that a terminal interprets, and they
 * occur only in its texts.
 */
const sanitizeJson = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Text from a server may contain escape sequences, which a terminal would interpret, and characters that reverse a
 * line.
 */
export const stripControlCharacters = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' '))
    .join('\n');
