import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';

/** A document as the server had it; `undefined` where it had none. Secrets are masked. */
export interface ReadDocument {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}
