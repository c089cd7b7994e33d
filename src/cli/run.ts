import { systemClock } from '../base/clock.ts';
import { commands } from './commands.ts';
import { type ExitCode, exitCodes, CommandRefusedError } from './exitCodes.ts';
import { formatHelp, formatUsage } from './help.ts';
import { parseCommandLine } from './parseCommandLine.ts';
import { createCommandOutput, type Shell } from './shell.ts';
import { version } from './version.ts';

/**
 * Runs the command line. Errors are reported on standard error and in the exit code.
 * @param signal aborted when the process is to end
 */
export async function run(args: readonly string[], shell: Shell, signal: AbortSignal): Promise<ExitCode> {
  const output = createCommandOutput(shell);
  try {
    const parsed = parseCommandLine(args, commands);
    switch (parsed.kind) {
      case 'help':
        output.printLine(formatHelp(parsed.command));
        return exitCodes.done;
      case 'version':
        output.printLine(version);
        return exitCodes.done;
      case 'run': {
        const runCommand = await parsed.command.load();
        return await runCommand({ args: parsed.args, shell, output, clock: systemClock, signal });
      }
    }
  } catch (error) {
    if (error instanceof CommandRefusedError) {
      output.printMessage(error.message);
      const command = commands.find(({ name }) => name === error.usageCommand);
      if (error.usageCommand !== undefined) {
        output.printMessage(command === undefined ? formatHelp(undefined) : `Usage: ${formatUsage(command)}`);
      }
      return exitCodes.refused;
    }
    const { getErrorExitCode, formatCliError } = await import('./errorMessages.ts');
    output.printMessage(signal.aborted ? 'Canceled. Nothing was written.' : formatCliError(error));
    return getErrorExitCode(error, signal);
  }
}
