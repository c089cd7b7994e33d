import type { JsonValue } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { readTarget } from '../endpoints/verifyOutcome.ts';
import type { Write } from '../model/operation.ts';
import { getValueAt } from '../model/outputRefs.ts';
import type { ExecutionInput } from './executionInput.ts';
import type { WriteSession } from './runOptions.ts';

/** The response of a write, and what is needed to complete it. */
export interface CompletionDeps extends Pick<ExecutionInput, 'operation' | 'options' | 'before' | 'modules'> {
  readonly response: JsonValue | undefined;
  readonly session: WriteSession;
  readonly log: Log;
}

/**
 * Returns the response, or the looked-up document if a later write needs an ID that the response lacks: the response
 * bodies of writes are not specified (rest-api.md, "What is not described").
 */
export async function completeResponse(
  index: number,
  write: Write,
  { operation, options, session, before, log, modules, response }: CompletionDeps,
): Promise<JsonValue | undefined> {
  const neededPaths = [
    ...operation.writes.flatMap(({ outputRefs }) => outputRefs ?? []),
    ...(options.restoredIds ?? []),
  ]
    .filter((value) => value.write === index)
    .map(({ from }) => from);
  if (neededPaths.every((from) => typeof getValueAt(response, from) === 'string')) {
    return response;
  }
  try {
    const { action, findCreated } = modules.getWriteKind(write);
    const created =
      action === 'create'
        ? await findCreated?.(write, { client: session.client, before })
        : await readTarget(session.client, write);
    return created ?? response;
  } catch (error) {
    // The write itself succeeded; the write that needs the ID will report that it is missing.
    log.warn('writes', 'Reading a created item failed', { reason: String(error) });
    return response;
  }
}
