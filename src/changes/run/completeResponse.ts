import type { JsonValue } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { readTarget } from '../endpoints/verifyWrites.ts';
import type { Write } from '../model/operation.ts';
import { getValueAt } from '../model/outputRefs.ts';
import type { ExecutionInput } from './executionInput.ts';
import { showsDocument } from './documentsAfter.ts';
import { isUnderivableUpdate, toResponse } from './documentsAfterUpdates.ts';
import type { OperationProgress } from './operationProgress.ts';
import type { WriteSession } from './runOptions.ts';

/** The response of a write, and what is needed to complete it. */
export interface CompletionDeps extends Pick<ExecutionInput, 'options'> {
  readonly progress: OperationProgress;
  readonly response: JsonValue | undefined;
  readonly session: WriteSession;
  readonly log: Log;
}

/**
 * Returns the response, or the document that was read from the server if a later write needs more than the response
 * shows. The response bodies of writes are not specified (rest-api.md, "What is not described"). A later write may need
 * an ID. If it has the same target, it needs the whole document as this write has left it, not as another user has
 * changed it since.
 */
export async function completeResponse(
  index: number,
  write: Write,
  { progress, options, session, log, response }: CompletionDeps,
): Promise<JsonValue | undefined> {
  const { operation, before, getWriteKind } = progress;
  const neededPaths = [
    ...operation.writes.flatMap(({ outputRefs }) => outputRefs ?? []),
    ...(options.restoredIds ?? []),
  ]
    .filter((value) => value.write === index)
    .map(({ from }) => from);
  const hasIds = neededPaths.every((from) => typeof getValueAt(response, from) === 'string');
  if (hasIds && !isDocumentMissing(index, write, response, progress)) {
    return response;
  }
  try {
    const { action, findCreated } = getWriteKind(write);
    const found =
      action === 'create'
        ? await findCreated?.(write, { client: session.client, before })
        : toResponse(index, write, await readTarget(session.client, write), progress);
    return found ?? response;
  } catch (error) {
    // The write itself succeeded; a write that needs an ID will report that it is missing.
    log.warn('writes', 'Reading the result of a write failed', { reason: String(error) });
    return response;
  }
}

/** Returns whether a later write has the same target, and the response doesn't show how this write has left it. */
function isDocumentMissing(
  index: number,
  write: Write,
  response: JsonValue | undefined,
  progress: OperationProgress,
): boolean {
  const { target } = write;
  const previous = target && progress.getOriginal(target);
  return (
    target !== undefined &&
    previous !== undefined &&
    isUnderivableUpdate(write, target, progress.getWriteKind) &&
    !showsDocument(response, previous, target) &&
    progress.getWritesTo(target).some((later) => later > index)
  );
}
