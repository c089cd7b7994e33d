import type { Command, CommandContext } from './command.ts';
import { type ExitCode, CommandRefusedError } from './exitCodes.ts';

/**
 * Runs a command. Errors are reported on standard error, in the exit code, and with `--format json` on standard output.
 */
export async function runCommand(command: Command, context: CommandContext): Promise<ExitCode> {
  const { signal } = context;
  try {
    const run = await command.load();
    return await run(context);
  } catch (error) {
    // Formatting errors needs more code than some commands.
    const [{ formatCliError, getErrorExitCode }, { reportError }] = await Promise.all([
      import('./errorMessages.ts'),
      import('./errorOutput.ts'),
    ]);
    return reportError(context, {
      command: command.name,
      message: signal.aborted ? 'Canceled. Nothing was written.' : formatCliError(error),
      ...(error instanceof CommandRefusedError && !signal.aborted ? { hints: error.hints } : {}),
      exitCode: getErrorExitCode(error, signal),
    });
  }
}
