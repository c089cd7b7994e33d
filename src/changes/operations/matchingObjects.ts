import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../model/operation.ts';
import type { PlanTicket } from '../run/problems.ts';
import type { Writer } from '../run/writer.ts';

/** What a change of custom data by filter reaches, to be shown to a person before it is made. */
export interface MatchingObjects {
  readonly operation: Operation;
  readonly objects: readonly JsonObject[];
  /** Goes with the change as `asked`, so that it reaches these objects, as they are, or none. */
  readonly ticket: PlanTicket;
}

/**
 * Looks what a change of custom data by filter reaches now (platform-facts 4: all matches, `{}` everything).
 * @throws ApiError
 */
export async function matchingObjects(
  writer: Pick<Writer, 'plan'>,
  operation: Operation,
): Promise<MatchingObjects> {
  const { ticket, before } = await writer.plan(operation);
  const objects = before.flatMap(({ document = [] }) => (Array.isArray(document) ? document : [document]));
  return { operation, objects: objects.filter(isJsonObject), ticket };
}
