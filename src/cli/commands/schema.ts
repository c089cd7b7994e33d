import * as z from 'zod';
import type { RunCommand } from '../command.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { errorOutputSchema, outputSchemas } from '../outputs.ts';

/** Prints the JSON schema of a command's output with `--format json`, or of what any command prints after an error. */
export const schema: RunCommand = async ({ args, output }) => {
  const name = args.positionals.join(' ');
  const schemas = Object.entries({ ...outputSchemas, error: errorOutputSchema });
  const entry = schemas.find(([command]) => command === name);
  if (entry === undefined) {
    throw new CommandRefusedError(
      `Unknown command. Expected: ${schemas.map(([command]) => command).join(', ')}.`,
    );
  }
  output.printJson(z.toJSONSchema(entry[1]));
  return exitCodes.done;
};
