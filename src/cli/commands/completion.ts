import type { Command, RunCommand } from '../command.ts';
import { formatBashCompletion } from '../completion/bash.ts';
import { formatFishCompletion } from '../completion/fish.ts';
import { withHelpCommands } from '../completion/completionParts.ts';
import { formatZshCompletion } from '../completion/zsh.ts';
import { exitCodes } from '../exitCodes.ts';

/** Creates the command that prints a script which completes the commands in a shell. */
export const createCompletion =
  (commands: readonly Command[]): RunCommand =>
  async ({ args, output }) => {
    const [shell] = args.positionals;
    const format =
      shell === 'bash' ? formatBashCompletion : shell === 'zsh' ? formatZshCompletion : formatFishCompletion;
    output.printRaw(format(withHelpCommands(commands)));
    return exitCodes.done;
  };
