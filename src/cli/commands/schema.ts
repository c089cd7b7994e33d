import * as z from 'zod';
import type { RunCommand } from '../command.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { outputSchemas } from '../outputs.ts';

/** Prints the JSON schema of a command's output with `--format json`. */
export const schema: RunCommand = async ({ args, output }) => {
  const [name = ''] = args.positionals;
  const entry = Object.entries(outputSchemas).find(([command]) => command === name);
  if (entry === undefined) {
    throw new CommandRefusedError(
      `Unknown command. Expected: ${Object.keys(outputSchemas).map(quoteIfNeeded).join(', ')}.`,
    );
  }
  output.printJson(z.toJSONSchema(entry[1]));
  return exitCodes.done;
};

const quoteIfNeeded = (name: string): string => (name.includes(' ') ? `"${name}"` : name);
