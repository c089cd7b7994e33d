import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../model/operation.ts';
import type { PlanHash } from '../run/problems.ts';
import type { Writer } from '../run/writer.ts';

/** What a change of custom data by filter reaches, to be shown to a person before it is made. */
export interface MatchingPreview {
  readonly operation: Operation;
  readonly objects: readonly JsonObject[];
  /** Goes with the change as `asked`, so that it reaches these objects, as they are, or none. */
  readonly planHash: PlanHash;
}

/**
 * Looks what a change of custom data by filter reaches now (platform-facts 4: all matches, `{}` everything).
 * @throws ApiError
 */
export async function previewMatching(
  writer: Pick<Writer, 'plan'>,
  operation: Operation,
): Promise<MatchingPreview> {
  const { planHash, before } = await writer.plan(operation);
  const objects = before.flatMap(({ document = [] }) => (Array.isArray(document) ? document : [document]));
  return { operation, objects: objects.filter(isJsonObject), planHash };
}
