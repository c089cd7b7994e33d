import { commands } from '../commands.ts';
import type { RunCommand } from '../command.ts';
import { formatBashCompletion } from '../completion/bash.ts';
import { formatFishCompletion } from '../completion/fish.ts';
import { formatZshCompletion } from '../completion/zsh.ts';
import { exitCodes } from '../exitCodes.ts';

/** Prints a script that completes the commands in a shell. */
export const completion: RunCommand = async ({ args, output }) => {
  const [shell] = args.positionals;
  const format =
    shell === 'bash' ? formatBashCompletion : shell === 'zsh' ? formatZshCompletion : formatFishCompletion;
  output.printRaw(format(commands));
  return exitCodes.done;
};
