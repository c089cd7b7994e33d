import type { Clock } from '../base/clock.ts';
import type { ExitCode } from './exitCodes.ts';
import type { CommandOutput, Shell } from './shell.ts';

/** An option of the command line, without its dashes. */
export interface Option {
  readonly name: string;
  /** The name of its value in the help; absent for a switch. `FILE` and `DIR` are completed as paths. */
  readonly valueName?: string;
  /** The allowed values; any if absent. */
  readonly choices?: readonly string[];
  /** The allowed values in a list with commas. */
  readonly listChoices?: readonly string[];
  readonly isRequired?: true;
  readonly help: string;
}

/** An argument without dashes. `FILE` is completed as a path. */
export interface Positional {
  readonly name: string;
  readonly isRequired: boolean;
  /** The allowed values; any if absent. */
  readonly choices?: readonly string[];
  /** The values that a shell proposes; the command itself checks its value. */
  readonly proposals?: readonly string[];
  /** The values that a shell proposes after each value of the argument before this one. */
  readonly proposalsAfter?: Readonly<Record<string, readonly string[]>>;
}

/** The arguments of the command line, checked against the options of the command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Returns the value of an option; `undefined` if it was not given. */
  getValue(name: string): string | undefined;
  has(name: string): boolean;
}

/** The context that a command runs in. */
export interface CommandContext {
  readonly args: Arguments;
  readonly shell: Shell;
  readonly output: CommandOutput;
  readonly clock: Clock;
  /** Aborted by Ctrl+C and when the process is asked to end. */
  readonly signal: AbortSignal;
}

export type RunCommand = (context: CommandContext) => Promise<ExitCode>;

/** The name of the program. */
export const programName = 'datamodel-studio';

/** The description of a command, available without loading its implementation. */
export interface Command {
  /** As typed on the command line: `rules import`. */
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  /** Command lines that the help shows, without the name of the program. */
  readonly examples: readonly string[];
  /** Lines of help below the options. */
  readonly notes?: readonly string[];
  readonly load: () => Promise<RunCommand>;
}
