import { isSameRef } from '../../catalog/resourceRef.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { createConflictError } from './conflicts.ts';

const checkedKinds: ReadonlySet<string> = new Set(['table', 'relation', 'viewpoint']);

/** Returns whether the target of a write must be as the operation has found it, or as its earlier writes have left it. */
export const hasCheckedTarget = (write: Pick<Write, 'target'> | undefined): boolean =>
  write?.target !== undefined && checkedKinds.has(write.target.kind);

/**
 * Checks right before a write that no other user has changed its target since the operation began, or since its last
 * write to the same target: a write replaces whole lists, such as the columns of a table. Other operations than an apply,
 * which may take minutes, check only targets that they have already written, such as an undo that takes a viewpoint away
 * before it gives it back. The first write isn't checked: its target was just read.
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
  if (index === 0 || target === undefined || !hasCheckedTarget(writes[index])) {
    return;
  }
  const isWritten = writes
    .slice(0, index)
    .some((earlier) => earlier.target !== undefined && isSameRef(earlier.target, target));
  if (cause === 'apply' || isWritten) {
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
