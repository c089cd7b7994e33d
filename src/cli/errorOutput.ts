import type * as z from 'zod';
import type { CommandContext } from './command.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import { type errorOutputSchema, outputVersion } from './outputs.ts';
import type { CommandOutput } from './shell.ts';

/** The reason why a command ended without a result. */
export interface CommandFailure {
  /** The name of the command; `undefined` if the command line contains no valid one. */
  readonly command: string | undefined;
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** Prints the error of a command for programs, in place of its result. */
export function printErrorOutput(
  output: CommandOutput,
  { command, message, exitCode }: CommandFailure,
): void {
  output.printJson({
    version: outputVersion,
    ...(command === undefined ? {} : { command }),
    error: { state: getState(exitCode), message },
  } satisfies z.infer<typeof errorOutputSchema>);
}

/** Reports the error of a command as a message and, with `--format json`, for programs. Returns its exit code. */
export function reportError({ args, output }: CommandContext, failure: CommandFailure): ExitCode {
  if (args.getValue('format') === 'json') {
    printErrorOutput(output, failure);
  }
  output.printMessage(failure.message, 'error');
  return failure.exitCode;
}

function getState(exitCode: ExitCode): z.infer<typeof errorOutputSchema>['error']['state'] {
  if (exitCode === exitCodes.refused) {
    return 'refused';
  }
  return exitCode === exitCodes.unknown ? 'unknown' : 'failed';
}
