import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';

/** A document that was read from the server, secrets masked; `document` is `undefined` if it did not exist. */
export interface ReadDocument {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}
