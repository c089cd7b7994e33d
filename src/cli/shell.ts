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

/** The tone of a message, which determines its color on a terminal. */
export type Tone = 'success' | 'error' | 'warning';

/** Data of a command goes to standard output, so that it can be piped; messages go to standard error. */
export interface CommandOutput {
  /** Prints a line of the result as text. Line breaks in it, such as those of a name, become spaces. */
  printLine(text: string, tone?: Tone): void;
  /** Prints a command for a CI server, which must be one line. */
  printWorkflowCommand(text: string): void;
  /** Prints a report of several lines, such as Markdown or JUnit. */
  printReport(text: string): void;
  /** Prints a file's content: unchanged, except that a terminal gets no control characters. */
  printRaw(text: string): void;
  /** Prints a result as JSON. */
  printJson(value: unknown): void;
  /** Prints a message in one line. */
  printMessage(text: string, tone?: Tone): void;
  /** On a terminal, shows a line that the next output replaces; elsewhere, nothing. Without a text, removes it. */
  showProgress(text?: string): void;
}

const toneColors = { success: 'green', error: 'red', warning: 'yellow' } as const;

/** Moves the cursor to the start of the line and erases the line. */
const eraseLine = '\r\u001b[2K';

/** Returns whether standard error is a terminal that interprets control sequences, so that a line can be replaced. */
export const supportsControlSequences = ({ isErrorTerminal, env }: Shell): boolean =>
  isErrorTerminal && env['TERM'] !== 'dumb';

/**
 * Creates the output of a command. Colors are off if `NO_COLOR` is set (https://no-color.org). In a workflow of GitHub
 * Actions or Azure Pipelines, names in the output are not interpreted as workflow commands.
 */
export function createCommandOutput(shell: Shell): CommandOutput {
  const { writeData, writeMessage, isOutputTerminal, env } = shell;
  const canErase = supportsControlSequences(shell);
  const hasMessageColors = canErase && !env['NO_COLOR'];
  const hasDataColors = isOutputTerminal && env['TERM'] !== 'dumb' && !env['NO_COLOR'];
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
  const writeRaw = (text: string): void => write(isOutputTerminal ? sanitizeLines(text) : text);
  const isWorkflow = Boolean(env['GITHUB_ACTIONS'] || env['TF_BUILD']);
  const sanitizeText = (text: string): string => (isWorkflow ? breakWorkflowCommands(text) : text);
  return {
    printLine: (text, tone) =>
      write(`${colorize(sanitizeText(stripControlCharacters(text)), tone, hasDataColors)}\n`),
    printWorkflowCommand: (text) => write(`${stripControlCharacters(text)}\n`),
    printReport: (text) => writeRaw(sanitizeText(text)),
    printRaw: writeRaw,
    printJson: (value) => {
      const json = sanitizeJson(stringify(value, 2));
      write(`${isWorkflow ? escapeWorkflowCommands(json) : json}\n`);
    },
    printMessage: (text, tone) => {
      removeProgress();
      const plainText = sanitizeText(stripControlCharacters(text));
      writeMessage(`${colorize(plainText, tone, hasMessageColors)}\n`);
    },
    showProgress: (text) => {
      removeProgress();
      if (canErase && text !== undefined) {
        isProgressShown = true;
        writeMessage(sanitizeText(stripControlCharacters(text)));
      }
    },
  };
}

const colorize = (text: string, tone: Tone | undefined, hasColors: boolean): string =>
  hasColors && tone !== undefined ? styleText(toneColors[tone], text, { validateStream: false }) : text;

/** Makes text safe to print on a terminal: the only control characters left are tabs and line breaks. */
const sanitizeLines = (text: string): string =>
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
 * The start of a command that runners look for anywhere in a line. Their comparison ignores invisible characters, which
 * may therefore be in between.
 */
const inlineCommand = /#(?=[\p{Cf}\p{DI}]*#[\p{Cf}\p{DI}]*[[v])/giu;

/** The start of a command that must be the first text of a line. */
const lineCommand = /^((?:[^\S\r\n]|[\u0085\p{Cf}\p{DI}])*:)(?=[\p{Cf}\p{DI}]*:)/gmu;

/**
 * Inserts a space into `::`, `##[`, and `##vso[`, so that GitHub Actions and Azure Pipelines don't run them as
 * commands.
 */
const breakWorkflowCommands = (text: string): string =>
  text.replace(lineCommand, '$1 ').replace(inlineCommand, '# ');

/** Prevents workflow commands in JSON without changing its content. None of its lines starts with a colon. */
const escapeWorkflowCommands = (json: string): string => json.replace(inlineCommand, '\\u0023');

/**
 * Returns a text as one line. Text from a server may contain line breaks, which would look like lines of the product,
 * escape sequences, which a terminal would interpret, and characters that reverse the direction of text.
 */
export const stripControlCharacters = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
