import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';

/** Runs an operation like a user who reviews the plan and applies it. */
export async function runApproved(writer: Writer, operation: Operation, options: RunOptions = {}) {
  try {
    return await writer.run(operation, options);
  } catch (error) {
    if (error instanceof PlanNeededError) {
      return writer.run(operation, { ...options, approval: writer.approve(error.planHash) });
    }
    throw error;
  }
}
