import * as z from 'zod';
import { buildTypes, schemaOrigins } from '../contract/terms.ts';

export const buildTaskType = 'datamodel-build';

const titleSchema = z.string().min(1);

/**
 * The schema of a `datamodel-build` task in tasks.json. It refers to connections by name, not by address: a workspace
 * must not be able to redirect a token.
 */
const definitionSchema = z.object({
  type: z.literal(buildTaskType),
  connection: titleSchema,
  datamodels: z.union([titleSchema.transform((value) => [value]), z.array(titleSchema).min(1)]),
  buildType: z.enum(buildTypes).optional(),
  schemaOrigin: z.enum(schemaOrigins).optional(),
  rowLimit: z.int().min(1).optional(),
  atOnce: z.int().min(1).max(20).default(1),
  stopAtFirstFailure: z.boolean().default(true),
});
export type BuildTaskDefinition = z.infer<typeof definitionSchema>;

/** Parses a task definition; returns a message with the location of each error if it is invalid. */
export function readTaskDefinition(definition: unknown): BuildTaskDefinition | string {
  const parsed = definitionSchema.safeParse(definition);
  if (parsed.success) {
    return parsed.data;
  }
  return parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}

/** Finds the connection with a name; returns a code if there is none or more than one. */
export function findConnectionByName<Named extends { readonly name: string }>(
  connections: readonly Named[],
  name: string,
): Named | 'unknown' | 'ambiguous' {
  const [first, second] = connections.filter((connection) => connection.name === name);
  return first === undefined ? 'unknown' : second === undefined ? first : 'ambiguous';
}
