import { systemClock } from '../base/clock.ts';
import { commands } from './commands.ts';
import { type ExitCode, exitCodes, CommandRefusedError } from './exitCodes.ts';
import { formatHelp, formatUsage } from './help.ts';
import { hasJsonFormat, parseCommandLine } from './parseCommandLine.ts';
import { createCommandOutput, type Shell } from './shell.ts';
import { version } from './version.ts';

/**
 * Runs the command line. Errors are reported on standard error and in the exit code.
 * @param signal aborted when the process is to end
 */
export async function runCommandLine(
  args: readonly string[],
  shell: Shell,
  signal: AbortSignal,
): Promise<ExitCode> {
  const output = createCommandOutput(shell);
  try {
    const parsed = parseCommandLine(args, commands);
    switch (parsed.kind) {
      case 'help':
        output.printReport(`${formatHelp(parsed.command, parsed.firstWord)}\n`);
        return exitCodes.done;
      case 'version':
        output.printLine(version);
        return exitCodes.done;
      case 'run': {
        const { runCliCommand } = await import('./runCommand.ts');
        return await runCliCommand(parsed.command, {
          args: parsed.args,
          shell,
          output,
          clock: systemClock,
          signal,
        });
      }
    }
  } catch (error) {
    // Only `parseCommandLine` throws this error here: commands handle their own errors.
    if (!(error instanceof CommandRefusedError)) {
      throw error;
    }
    const command = commands.find(({ name }) => name === error.usageCommand);
    if (hasJsonFormat(args)) {
      const { printErrorOutput } = await import('./errorOutput.ts');
      printErrorOutput(output, {
        command: command?.name,
        message: error.message,
        exitCode: exitCodes.refused,
      });
    }
    output.printMessage(error.message, 'error');
    error.hints.forEach((hint) => output.printMessage(hint));
    if (error.usageCommand !== undefined) {
      const usage = command === undefined ? formatHelp(undefined) : `Usage: ${formatUsage(command)}`;
      usage.split('\n').forEach((line) => output.printMessage(line));
    }
    return exitCodes.refused;
  }
}
