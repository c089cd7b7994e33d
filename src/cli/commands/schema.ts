import * as z from 'zod';
import type { RunCommand } from '../command.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { outputs } from '../outputs.ts';

/** Prints the JSON schema of a command's output with `--format json`. */
export const schema: RunCommand = async ({ args, output }) => {
  const [name = ''] = args.positionals;
  const found = Object.entries(outputs).find(([command]) => command === name);
  if (found === undefined) {
    throw new CommandRefusedError(
      `Unknown command. Expected: ${Object.keys(outputs).map(quoted).join(', ')}.`,
    );
  }
  output.json(z.toJSONSchema(found[1]));
  return exitCodes.done;
};

const quoted = (name: string): string => (name.includes(' ') ? `"${name}"` : name);
