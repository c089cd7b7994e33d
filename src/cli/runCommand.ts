import type { Command, CommandContext } from './command.ts';
import { type ExitCode, CommandRefusedError } from './exitCodes.ts';

/**
 * Runs a command. Errors are reported on standard error, in the exit code, and with `--format json` on standard output.
 */
export async function runCliCommand(command: Command, context: CommandContext): Promise<ExitCode> {
  const { signal } = context;
  try {
    const run = await command.load();
    return await run(context);
  } catch (error) {
    // Imported only now: the code that formats errors is larger than that of some commands.
    const [
      { formatCliError, getErrorExitCode },
      { reportError },
      { getFileErrorPath: getRefusedPath },
      { getStateFolder },
      { JournalError },
    ] = await Promise.all([
      import('./errorMessages.ts'),
      import('./errorOutput.ts'),
      import('./formatFileError.ts'),
      import('./target.ts'),
      import('../changes/journal/journalError.ts'),
    ]);
    // An error of the file system doesn't show whether its path belongs to the journals.
    const isJournalPath =
      error instanceof JournalError || getRefusedPath(error)?.startsWith(getStateFolder(context)) === true;
    const hints = [
      ...(error instanceof CommandRefusedError ? error.hints : []),
      ...(isJournalPath ? ['To use a different journal folder, use --state DIR.'] : []),
    ];
    return reportError(context, {
      command: command.name,
      message: signal.aborted ? 'Canceled. Nothing was written.' : formatCliError(error),
      ...(signal.aborted ? {} : { hints }),
      exitCode: getErrorExitCode(error, signal),
    });
  }
}
