import { readFile } from 'node:fs/promises';
import { CommandRefusedError } from './exitCodes.ts';
import { outputVersion, planOutputSchema } from './outputs.ts';
import type { PlanOutput } from './planOutput.ts';

/** A plan that `plan --out FILE` has written. */
export type PlanFile = Pick<
  PlanOutput,
  'instance' | 'environment' | 'hash' | 'prune' | 'limits' | 'ignoreErrors'
>;

/**
 * Reads a plan file.
 * @throws CommandRefusedError if it can't be read, or is not a plan file
 */
export async function readPlanFile(path: string): Promise<PlanFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CommandRefusedError(`Can't read FILE${code}.`);
  }
  const value = parse(text);
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : 0;
  if (typeof version === 'number' && version > outputVersion) {
    throw new CommandRefusedError(
      'FILE was written by a newer version of Datamodel Studio. Install that version.',
    );
  }
  const plan = planOutputSchema.safeParse(value);
  if (!plan.success) {
    throw new CommandRefusedError('FILE is not a plan. Expected: a file that plan --out has written.');
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
