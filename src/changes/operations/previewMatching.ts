import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../model/operation.ts';
import type { PlanHash } from '../run/problems.ts';
import type { Writer } from '../run/writer.ts';

/** The objects that a change of custom data by filter affects, shown to the user before it is made. */
export interface MatchingPreview {
  readonly operation: Operation;
  readonly objects: readonly JsonObject[];
  /** Passed with the change as `asked`, so that it affects exactly these objects, unchanged, or none. */
  readonly planHash: PlanHash;
}

/**
 * Reads the objects that a change of custom data by filter affects now (platform-facts.md, 4: all matches, `{}`
 * everything).
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
