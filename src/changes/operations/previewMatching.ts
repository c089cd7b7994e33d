import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../model/operation.ts';
import type { PlanHash } from '../run/writeErrors.ts';
import type { Writer } from '../run/writer.ts';

/** The objects that a change of custom data by filter would affect, shown to the user for confirmation. */
export interface CustomDataPreview {
  readonly operation: Operation;
  readonly objects: readonly JsonObject[];
  /**
   * Passed as `confirmedPlanHash` when the change is run, so that it affects exactly these unchanged objects, or none.
   */
  readonly planHash: PlanHash;
}

/**
 * Reads the objects that a change of custom data by filter would affect now (platform-facts.md, 4: all matches; `{}`
 * matches everything).
 * @throws ApiError
 */
export async function previewCustomDataChange(
  writer: Pick<Writer, 'plan'>,
  operation: Operation,
): Promise<CustomDataPreview> {
  const { planHash, before } = await writer.plan(operation);
  const objects = before.flatMap(({ document = [] }) => (Array.isArray(document) ? document : [document]));
  return { operation, objects: objects.filter(isJsonObject), planHash };
}
