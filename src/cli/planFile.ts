import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { CommandRefusedError } from './exitCodes.ts';
import { outputVersion } from './outputParts.ts';
import { planFileVersion, planOutputSchema } from './planOutputSchema.ts';
import { formatFileError } from './formatFileError.ts';

/** What an apply reads from a plan file: the plan itself is computed again, and must have the same hash. */
const planFileSchema = planOutputSchema.pick({
  command: true,
  instance: true,
  environment: true,
  hash: true,
  prune: true,
  limits: true,
  ignoreErrors: true,
});

/** A plan that `plan --out FILE` has written. */
export type PlanFile = z.infer<typeof planFileSchema>;

const headerSchema = z.object({
  version: z.number().optional(),
  command: z.string(),
  planFileVersion: z.number().optional(),
});

/**
 * Reads a plan file.
 * @throws CommandRefusedError if it can't be read, is not a plan file, or was written by another version
 */
export async function readPlanFile(path: string): Promise<PlanFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandRefusedError(`Can't read the plan file. ${formatFileError(error)}`);
  }
  return parsePlan(text);
}

/** @throws CommandRefusedError if the text is not a plan, or was written by another version */
function parsePlan(text: string): PlanFile {
  const value = parse(text);
  const { version, command, planFileVersion: fileVersion } = headerSchema.safeParse(value).data ?? {};
  if (command === 'plan' && (version !== outputVersion || fileVersion !== planFileVersion)) {
    throw new CommandRefusedError(
      'The plan file was written by another version of Datamodel Studio. Create the plan again with plan --out.',
    );
  }
  const plan = planFileSchema.safeParse(value);
  if (!plan.success) {
    throw new CommandRefusedError("The file isn't a plan. Expected: a file written by plan --out.");
  }
  return plan.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is not a plan either.
    return undefined;
  }
}

/** Returns whether the text of a file is a plan that {@link readPlanFile} reads. */
export function isPlan(text: string): boolean {
  try {
    parsePlan(text);
    return true;
  } catch (error) {
    if (error instanceof CommandRefusedError) {
      return false;
    }
    throw error;
  }
}
