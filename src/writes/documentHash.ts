import { createHash } from 'node:crypto';
import { canonicalText, nothing } from '../base/canonicalJson.ts';
import type { JsonValue } from '../base/json.ts';
import type { ResourceKind } from '../catalog/resourceRef.ts';

/**
 * Fields that the server keeps by itself (platform-facts 2.2 and 3.1; spec, "Viewpoint"): they change with a write
 * that left everything else as it was, and say nothing about what a person wrote.
 */
const bookkeeping: ReadonlySet<string> = new Set([
  'vTag',
  'lastUpdated',
  'lastModified',
  'updatedAt',
  'updatedBy',
  'lastBuildTime',
  'lastSuccessfulBuildTime',
  'lastBuildTimeFromNextECM',
  'lastPublishTime',
]);

/** True for a field that the server keeps by itself and that a comparison leaves out. */
export const isBookkeeping = (name: string): boolean => bookkeeping.has(name);

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
