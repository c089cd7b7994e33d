import { createHash } from 'node:crypto';
import { canonicalText, nothing } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';

/** Custom data is any JSON: no field of it is known to be the server's. */
const isCustomData = (kind: ResourceKind): boolean => kind === 'customData' || kind === 'customDataObject';

/**
 * A text that two versions of a document share exactly when they say the same: members in any order, numbers however
 * they are spelled, what the server keeps by itself left out. `undefined` stands for a document that is not there.
 */
export function documentHash(kind: ResourceKind, document: JsonValue | undefined): string {
  const omit = isCustomData(kind) ? nothing : isBookkeeping;
  return document === undefined ? 'absent' : sha256(canonicalText(document, omit));
}

/** As {@link documentHash}, for any JSON of which nothing is left out. */
export const jsonHash = (value: JsonValue): string => sha256(canonicalText(value));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
