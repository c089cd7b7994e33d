import { createHash } from 'node:crypto';
import { toCanonicalText, omitNothing } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';

/** Custom data is any JSON: none of its fields is known to be managed by the server. */
const isCustomData = (kind: ResourceKind): boolean => kind === 'customData' || kind === 'customDataObject';

/**
 * Returns a hash of a document's content. The order of members, the spelling of numbers and the fields that the server
 * maintains don't affect it. A document that doesn't exist is passed as `undefined`.
 */
export function hashDocument(kind: ResourceKind, document: JsonValue | undefined): string {
  const omit = isCustomData(kind) ? omitNothing : isServerManagedField;
  return document === undefined ? 'absent' : sha256(toCanonicalText(document, omit));
}

/**
 * An expected hash that no document has, so that an undo stops with a conflict: others have changed or deleted what it
 * would undo.
 */
export const conflictHash = 'created';

/** Returns a hash of any JSON, like {@link hashDocument} but with every field included. */
export const hashJson = (value: JsonValue): string => sha256(toCanonicalText(value));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
