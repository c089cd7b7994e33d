import { createHash } from 'node:crypto';
import { toCanonicalText, omitNothing } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';

/** Custom data is any JSON: none of its fields is known to be managed by the server. */
const isCustomData = (kind: ResourceKind): boolean => kind === 'customData' || kind === 'customDataObject';

/**
 * Returns a text that two versions of a document share exactly if they have the same content: members in any order,
 * numbers in any spelling, without the fields that the server maintains on its own. `undefined` stands for a document
 * that doesn't exist.
 */
export function hashDocument(kind: ResourceKind, document: JsonValue | undefined): string {
  const omit = isCustomData(kind) ? omitNothing : isServerManagedField;
  return document === undefined ? 'absent' : sha256(toCanonicalText(document, omit));
}

/** Like {@link hashDocument}, for any JSON, with no field left out. */
export const hashJson = (value: JsonValue): string => sha256(toCanonicalText(value));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
