import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';

/** A document as the server had it; `undefined` if it did not exist. Secrets are masked. */
export interface ReadDocument {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}
