import { systemClock } from '../base/clock.ts';
import { commands } from './commands.ts';
import { type ExitCode, exitCodes, Refusal } from './exitCodes.ts';
import { helpText, usageOf } from './help.ts';
import { parseArguments } from './parseArguments.ts';
import { outputOf, type Shell } from './shell.ts';
import { version } from './version.ts';

/**
 * Runs the command line. All that goes wrong is said on standard error and is in the exit code.
 * @param signal aborted when the process is to end
 */
export async function run(args: readonly string[], shell: Shell, signal: AbortSignal): Promise<ExitCode> {
  const output = outputOf(shell);
  try {
    const parsed = parseArguments(args, commands);
    switch (parsed.kind) {
      case 'help':
        output.line(helpText(parsed.command));
        return exitCodes.done;
      case 'version':
        output.line(version);
        return exitCodes.done;
      case 'run': {
        const runCommand = await parsed.command.load();
        return await runCommand({ args: parsed.args, shell, output, clock: systemClock, signal });
      }
    }
  } catch (error) {
    if (error instanceof Refusal) {
      output.say(error.message);
      const command = commands.find(({ name }) => name === error.usageOf);
      if (error.usageOf !== undefined) {
        output.say(command === undefined ? helpText(undefined) : `Usage: ${usageOf(command)}`);
      }
      return exitCodes.refused;
    }
    const { exitCodeOf, errorText } = await import('./errorWords.ts');
    output.say(signal.aborted ? 'Canceled. Nothing was written.' : errorText(error));
    return exitCodeOf(error, signal);
  }
}
