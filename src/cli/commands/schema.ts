import * as z from 'zod';
import type { RunCommand } from '../command.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { errorOutputSchema, outputSchemas } from '../outputs.ts';

/**
 * Prints the JSON schema of a command's output with `--format json`, of what any command prints after an error, or of a
 * kind of file of a project.
 */
export const schema: RunCommand = async ({ args, output }) => {
  const [first = '', ...others] = args.positionals;
  output.printJson(
    first === 'file' ? await getFileSchema(others.join(' ')) : getOutputSchema(args.positionals),
  );
  return exitCodes.done;
};

/** @throws CommandRefusedError if there is no such command */
function getOutputSchema(words: readonly string[]): unknown {
  const name = words.join(' ');
  const schemas = Object.entries({ ...outputSchemas, error: errorOutputSchema });
  const entry = schemas.find(([command]) => command === name);
  if (entry === undefined) {
    throw new CommandRefusedError(
      `Unknown command. Expected: ${schemas.map(([command]) => command).join(', ')}, or file KIND.`,
    );
  }
  return z.toJSONSchema(entry[1]);
}

/** @throws CommandRefusedError if there is no such kind of file */
async function getFileSchema(kind: string): Promise<unknown> {
  const { createPlainProjectSchemas } = await import('../../packaging/schemas/projectDocuments.ts');
  const schemas = createPlainProjectSchemas();
  const entry = Object.entries(schemas).find(([name]) => name === kind);
  if (entry === undefined) {
    throw new CommandRefusedError(`Unknown kind of file. Expected: ${Object.keys(schemas).join(', ')}.`);
  }
  return entry[1];
}
