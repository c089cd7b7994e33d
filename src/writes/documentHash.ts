import { createHash } from 'node:crypto';
import { type JsonValue, isJsonObject, stringify } from '../base/json.ts';
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
 * A text that two versions of a document share exactly when they say the same: members in any order, numbers as they
 * are written, what the server keeps by itself left out. `undefined` stands for a document that is not there.
 */
export function documentHash(kind: ResourceKind, document: JsonValue | undefined): string {
  const left = isCustomData(kind) ? new Set<string>() : bookkeeping;
  return document === undefined ? 'absent' : sha256(stringify(canonical(document, left)));
}

/** As {@link documentHash}, for any JSON of which nothing is left out. */
export const jsonHash = (value: JsonValue): string => sha256(stringify(canonical(value, new Set())));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function canonical(value: JsonValue, left: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => canonical(item, left));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).filter(([name]) => !left.has(name));
  return Object.fromEntries(
    members
      .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
      .map(([name, member]) => [name, canonical(member, left)]),
  );
}
