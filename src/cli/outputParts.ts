import * as z from 'zod';
import { connectionRoles } from '../connections/connection.ts';

/**
 * The version of the output with `--format json`. Programs depend on the output: without a new version, fields are only
 * added, never changed or removed.
 */
export const outputVersion = 1;

/** Creates the members that identify the version and the command of an output. */
export const createHeader = <Name extends string>(command: Name) => ({
  version: z.literal(outputVersion),
  command: z.literal(command),
});

/** The instance that a command works with. */
export const instanceSchema = z.object({
  url: z.string(),
  role: z.enum(connectionRoles),
  tenant: z.string().optional(),
});

/**
 * A change of the instance that was interrupted: until it's finished, rolled back, or abandoned, an apply is refused.
 */
export const interruptedNoteSchema = z.object({
  /** Identifies the change in `resume`, `roll-back`, and `abandon`. */
  journal: z.string(),
  text: z.string(),
});

/** The result of a change that was started. */
export const resultSchema = z.object({
  state: z.enum(['done', 'stopped', 'differs', 'unknown']),
  /** Identifies the change in `resume` and `roll-back`. */
  journal: z.string(),
  /** The number of completed requests, or batches of them, and their total. */
  steps: z.object({ done: z.number(), total: z.number() }),
  ms: z.number(),
  problem: z.string().optional(),
});

/** The result of a change that was started. */
export type ResultOutput = z.infer<typeof resultSchema>;

/** Converts a connection to its form in outputs, without a token. */
export const toInstanceOutput = (connection: {
  readonly url: string;
  readonly role: (typeof connectionRoles)[number];
  readonly tenantId?: string | undefined;
}): z.infer<typeof instanceSchema> => ({
  url: connection.url,
  role: connection.role,
  ...(connection.tenantId === undefined ? {} : { tenant: connection.tenantId }),
});
