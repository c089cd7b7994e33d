import type { Operation, Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { createConflictError } from './conflicts.ts';

const checkedKinds: ReadonlySet<string> = new Set(['table', 'relation', 'viewpoint']);

/** Returns whether the target of a write must be as the operation has found it, or as its earlier writes have left it. */
export const hasCheckedTarget = (write: Pick<Write, 'target'> | undefined): boolean =>
  write?.target !== undefined && checkedKinds.has(write.target.kind);

/**
 * Checks right before a write of an apply that no other user has changed its target since the operation began, or since
 * its last write to the same target: an apply may take minutes, and a write replaces whole lists, such as the columns of a
 * table. The first write isn't checked: its target was just read.
 * @param verifyOutcome reads the target from the server
 * @throws ConflictError
 * @throws ApiError if the target can't be read
 */
export async function checkTargetUnchanged(
  index: number,
  { cause, writes }: Pick<Operation, 'cause' | 'writes'>,
  verifyOutcome: () => Promise<WriteOutcome>,
): Promise<void> {
  if (cause === 'apply' && index > 0 && hasCheckedTarget(writes[index])) {
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
