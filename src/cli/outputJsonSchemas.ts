import * as z from 'zod';
import { errorOutputSchema, outputSchemas } from './outputSchemas.ts';

/**
 * Creates the JSON schemas of what the commands print with `--format json`, by command name, and of what any command
 * prints after an error (`error`). When `cli.js` is built, its result is put in place of this module.
 */
export const createOutputJsonSchemas = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({ ...outputSchemas, error: errorOutputSchema }).map(([name, schema]) => [
      name,
      z.toJSONSchema(schema),
    ]),
  );
