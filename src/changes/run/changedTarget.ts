import { isSameRef } from '../../catalog/resourceRef.ts';
import type { Operation } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { createConflictError } from './conflicts.ts';

const checkedKinds: ReadonlySet<string> = new Set(['table', 'relation', 'viewpoint']);

/**
 * Checks right before a write of an apply that no other user has changed its target since the operation began: an apply
 * may take minutes, and a write replaces whole lists, such as the columns of a table. A target that the operation
 * itself has written is not checked again, nor is the first write, whose target was just read.
 * @param verifyOutcome reads the target from the server
 * @throws ConflictError
 * @throws ApiError if the target can't be read
 */
export async function checkTargetUnchanged(
  index: number,
  { cause, writes }: Pick<Operation, 'cause' | 'writes'>,
  verifyOutcome: () => Promise<WriteOutcome>,
): Promise<void> {
  const target = writes[index]?.target;
  const isChecked =
    cause === 'apply' &&
    index > 0 &&
    target !== undefined &&
    checkedKinds.has(target.kind) &&
    !writes
      .slice(0, index)
      .some((earlier) => earlier.target !== undefined && isSameRef(earlier.target, target));
  if (isChecked) {
    throwIfChanged(await verifyOutcome());
  }
}

/**
 * Throws if another user has changed the target of a write. One that was deleted is left to the server, which says that
 * it is missing.
 * @throws ConflictError
 */
export function throwIfChanged(outcome: WriteOutcome): void {
  if (outcome.state !== 'happened' && outcome.changedDocument?.document !== undefined) {
    throw createConflictError(outcome.changedDocument);
  }
}
