import type { Clock } from '../base/clock.ts';
import type { ExitCode } from './exitCodes.ts';
import type { CommandOutput, Shell } from './shell.ts';

/** An option of the command line, without its dashes. */
export interface Option {
  readonly name: string;
  /** What its value is called in the help; absent for a switch. */
  readonly value?: string;
  /** The words that it may have; any where it is absent. */
  readonly choices?: readonly string[];
  readonly isRequired?: true;
  readonly help: string;
}

/** What was said on the command line, checked against the options of the command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The value of an option; `undefined` where it is not there. */
  value(name: string): string | undefined;
  has(name: string): boolean;
}

/** What a command is run with. */
export interface CommandContext {
  readonly args: Arguments;
  readonly shell: Shell;
  readonly output: CommandOutput;
  readonly clock: Clock;
  /** Aborted by Ctrl+C and by whoever ends the process. */
  readonly signal: AbortSignal;
}

export type RunCommand = (context: CommandContext) => Promise<ExitCode>;

/** One command, known without loading what it does. */
export interface Command {
  /** Its words: `rules import`. */
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly { readonly name: string; readonly isRequired: boolean }[];
  readonly options: readonly Option[];
  /** Lines of help below the options. */
  readonly notes?: readonly string[];
  readonly load: () => Promise<RunCommand>;
}
