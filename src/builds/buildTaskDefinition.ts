import * as z from 'zod';
import { buildTypes, schemaOrigins } from '../contract/terms.ts';

export const buildTaskType = 'datamodel-build';

const nonEmptyStringSchema = z.string().min(1);

/** The maximum of `atOnce`, the number of concurrent builds. */
const maxAtOnce = 20;

/**
 * The schema of a `datamodel-build` task in tasks.json. It refers to connections by name, not by address: a workspace
 * must not be able to redirect a token.
 */
const definitionSchema = z.object({
  type: z.literal(buildTaskType),
  connection: nonEmptyStringSchema,
  datamodels: z.union([
    nonEmptyStringSchema.transform((value) => [value]),
    z.array(nonEmptyStringSchema).min(1),
  ]),
  buildType: z.enum(buildTypes).optional(),
  schemaOrigin: z.enum(schemaOrigins).optional(),
  rowLimit: z.int().min(1).optional(),
  atOnce: z.int().min(1).max(maxAtOnce).default(1),
  stopAtFirstFailure: z.boolean().default(true),
});
export type BuildTaskDefinition = z.infer<typeof definitionSchema>;

/** What a property of a task must be. */
export type TaskExpectation =
  | { readonly kind: 'connection' | 'datamodels' | 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'number'; readonly max?: number };

const expectations: Readonly<Record<Exclude<keyof BuildTaskDefinition, 'type'>, TaskExpectation>> = {
  connection: { kind: 'connection' },
  datamodels: { kind: 'datamodels' },
  buildType: { kind: 'choice', choices: buildTypes },
  schemaOrigin: { kind: 'choice', choices: schemaOrigins },
  rowLimit: { kind: 'number' },
  atOnce: { kind: 'number', max: maxAtOnce },
  stopAtFirstFailure: { kind: 'boolean' },
};

/** A property of a task that is missing or wrong. */
export interface TaskProblem {
  readonly property: string;
  readonly expectation: TaskExpectation;
  /** The value as written, if there is a list of choices. */
  readonly value?: string;
}

/** Parses a task definition; returns the problems, one per property, if it is invalid. */
export function readTaskDefinition(definition: unknown): BuildTaskDefinition | readonly TaskProblem[] {
  const parsed = definitionSchema.safeParse(definition);
  if (parsed.success) {
    return parsed.data;
  }
  const wrongProperties = new Set(parsed.error.issues.map(({ path }) => path[0]));
  return Object.entries(expectations)
    .filter(([property]) => wrongProperties.has(property))
    .map(([property, expectation]) => {
      const value: unknown = Reflect.get(Object(definition), property);
      return {
        property,
        expectation,
        ...(expectation.kind === 'choice' && typeof value === 'string' ? { value } : {}),
      };
    });
}

/** Finds the connection with a name; returns a code if there is none or more than one. */
export function findConnectionByName<Named extends { readonly name: string }>(
  connections: readonly Named[],
  name: string,
): Named | 'unknown' | 'ambiguous' {
  const [first, second] = connections.filter((connection) => connection.name === name);
  return first === undefined ? 'unknown' : second === undefined ? first : 'ambiguous';
}
