import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';

/** A document that was read from the server, secrets masked; `document` is `undefined` if it did not exist. */
export interface ReadDocument {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
  /**
   * For rules: the datamodels of the operation that they may apply to, as `addRuleDatamodels` finds them. Absent if
   * these aren't known, and for other documents.
   */
  readonly datamodels?: readonly string[] | undefined;
}
