import { PlanNeededError } from '../../../src/writes/problems.ts';
import type { Operation } from '../../../src/writes/operation.ts';
import type { RunOptions } from '../../../src/writes/runOptions.ts';
import type { Writer } from '../../../src/writes/writer.ts';

/** Runs an operation as a person does who looks at the plan and applies it. */
export async function apply(writer: Writer, wanted: Operation, options: RunOptions = {}) {
  try {
    return await writer.run(wanted, options);
  } catch (error) {
    if (error instanceof PlanNeededError) {
      return writer.run(wanted, { ...options, permit: writer.permit(error.ticket) });
    }
    throw error;
  }
}
