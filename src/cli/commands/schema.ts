import type { RunCommand } from '../command.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { createOutputJsonSchemas } from '../outputJsonSchemas.ts';

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
  const schemas = createOutputJsonSchemas();
  const name = words.join(' ');
  if (!Object.hasOwn(schemas, name)) {
    throw new CommandRefusedError(
      `Unknown command. Expected: ${Object.keys(schemas).join(', ')}, or file KIND.`,
    );
  }
  return schemas[name];
}

/** @throws CommandRefusedError if there is no such kind of file */
async function getFileSchema(kind: string): Promise<unknown> {
  const { createPortableProjectSchemas } = await import('../../packaging/schemas/projectDocuments.ts');
  const schemas = createPortableProjectSchemas();
  const entry = Object.entries(schemas).find(([name]) => name === kind);
  if (entry === undefined) {
    throw new CommandRefusedError(`Unknown kind of file. Expected: ${Object.keys(schemas).join(', ')}.`);
  }
  return entry[1];
}
