import type { OperationCause, Write, WriteEndpointId } from '../model/operation.ts';
import type { HappenedOutcome, WriteOutcome } from '../model/writeOutcome.ts';
import { createConflictError } from './conflicts.ts';
import type { OperationProgress } from './operationProgress.ts';

const kindsToCheck: ReadonlySet<string> = new Set(['table', 'relation', 'viewpoint']);

/**
 * Returns whether the target of a write must be as the operation has found it, or as its earlier writes have left it.
 */
export const needsTargetCheck = (write: Pick<Write, 'target'> | undefined): boolean =>
  write?.target !== undefined && kindsToCheck.has(write.target.kind);

/** Writes that replace or delete everything in a dataset or datamodel; other writes to one add something to it. */
const containerEndpoints: ReadonlySet<string> = new Set<WriteEndpointId>([
  'datasets.update',
  'datasets.delete',
  'datamodels.delete',
]);

/** Returns whether a write deletes a dataset or datamodel, or replaces the connection of a dataset. */
export const replacesContainer = (write: Pick<Write, 'endpoint'> | undefined): boolean =>
  write !== undefined && containerEndpoints.has(write.endpoint);

/** Writes of custom data that exists. A filter selects it, so the server never reports that it has changed. */
const customDataEndpoints: ReadonlySet<string> = new Set<WriteEndpointId>([
  'customData.updateMatching',
  'customData.deleteMatching',
]);

/** Returns whether a write changes or deletes custom data. */
export const changesCustomData = (write: Pick<Write, 'endpoint'> | undefined): boolean =>
  write !== undefined && customDataEndpoints.has(write.endpoint);

/** Returns whether a write would overwrite or delete what others have changed since it was planned. */
export const mayOverwrite = (write: Pick<Write, 'target' | 'endpoint'> | undefined): boolean =>
  needsTargetCheck(write) || replacesContainer(write) || changesCustomData(write);

/** The causes of operations that may take minutes. */
const longCauses: ReadonlySet<OperationCause> = new Set(['apply', 'undo', 'restore']);

/**
 * Checks right before a write that no other user has changed its target since the operation began, or since its last
 * write to the same target: a write replaces whole lists, such as the columns of a table. Operations that don't take
 * long check only targets that they have already written. The first write isn't checked if its target was just read.
 * @param details `verifyOutcome` reads the target from the server; `isOutdated`: what was read of it before may be
 *   outdated, so that it is checked in any case
 * @returns the outcome of an update that must not be sent, since another user has made the same change: sent again, it
 *   might replace what that has created, such as columns; `undefined` if the write can be sent
 * @throws ConflictError
 * @throws ApiError if the target can't be read
 */
export async function checkTarget(
  index: number,
  progress: OperationProgress,
  {
    verifyOutcome,
    isOutdated,
  }: { readonly verifyOutcome: () => Promise<WriteOutcome>; readonly isOutdated: boolean },
): Promise<HappenedOutcome | undefined> {
  const { cause, writes } = progress.operation;
  const target = writes[index]?.target;
  const isContainer = replacesContainer(writes[index]);
  if (target === undefined || !mayOverwrite(writes[index])) {
    return undefined;
  }
  const [firstIndex = index] = progress.getWritesTo(target);
  const wasJustRead = index === 0 || (!longCauses.has(cause) && firstIndex === index);
  if (wasJustRead && !isOutdated) {
    return undefined;
  }
  const outcome = await verifyOutcome();
  throwIfChanged(outcome);
  // What was deleted is left to the server, which says that it is missing. Secrets of a connection can't be compared.
  return outcome.state === 'happened' && outcome.response !== undefined && !isContainer ? outcome : undefined;
}

/**
 * Throws if another user has changed the target of a write. One that was deleted is left to the server, which says that
 * it is missing; except custom data, since a write that matches nothing succeeds, too (rest-api.md, "Custom data API").
 * @throws ConflictError
 */
export function throwIfChanged(outcome: WriteOutcome): void {
  const changed = outcome.state === 'happened' ? undefined : outcome.changedDocument;
  if (changed !== undefined && (changed.document !== undefined || changed.ref.kind === 'customDataObject')) {
    throw createConflictError(changed);
  }
}
