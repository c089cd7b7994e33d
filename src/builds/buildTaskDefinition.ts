import * as z from 'zod';
import { buildTypes, schemaOrigins } from '../contract/terms.ts';

export const buildTaskType = 'datamodel-build';

const title = z.string().min(1);

/**
 * A `datamodel-build` task of tasks.json. It names a connection, never an address: a workspace cannot redirect a token.
 */
const definitionSchema = z.object({
  type: z.literal(buildTaskType),
  connection: title,
  datamodels: z.union([title.transform((one) => [one]), z.array(title).min(1)]),
  buildType: z.enum(buildTypes).optional(),
  schemaOrigin: z.enum(schemaOrigins).optional(),
  rowLimit: z.int().min(1).optional(),
  atOnce: z.int().min(1).max(20).default(1),
  stopAtFirstFailure: z.boolean().default(true),
});
export type BuildTaskDefinition = z.infer<typeof definitionSchema>;

/** Reads a definition; returns the location of the error as text if it is invalid. */
export function readTaskDefinition(definition: unknown): BuildTaskDefinition | string {
  const parsed = definitionSchema.safeParse(definition);
  if (parsed.success) {
    return parsed.data;
  }
  return parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}

/** The only connection of a name; otherwise a code for the reason. */
export function findConnectionByName<Named extends { readonly name: string }>(
  connections: readonly Named[],
  name: string,
): Named | 'unknown' | 'ambiguous' {
  const [first, second] = connections.filter((connection) => connection.name === name);
  return first === undefined ? 'unknown' : second === undefined ? first : 'ambiguous';
}
