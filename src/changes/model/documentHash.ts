import { createHash } from 'node:crypto';
import { toCanonicalText, omitNothing } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';

/** Custom data is any JSON: no field of it is known to be the server's. */
const isCustomData = (kind: ResourceKind): boolean => kind === 'customData' || kind === 'customDataObject';

/**
 * A text that two versions of a document share exactly when they say the same: members in any order, numbers however
 * they are spelled, what the server keeps by itself left out. `undefined` stands for a document that is not there.
 */
export function hashDocument(kind: ResourceKind, document: JsonValue | undefined): string {
  const omit = isCustomData(kind) ? omitNothing : isServerManagedField;
  return document === undefined ? 'absent' : sha256(toCanonicalText(document, omit));
}

/** As {@link hashDocument}, for any JSON of which nothing is left out. */
export const hashJson = (value: JsonValue): string => sha256(toCanonicalText(value));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
