import { createHash } from 'node:crypto';

const computeDigest = (label: string): string => createHash('sha256').update(label).digest('hex');

/** Creates the oid of a datamodel, dataset, table, column or relation: a UUID that is always the same for a label. */
export function createSeedOid(label: string): string {
  const hex = computeDigest(label);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Creates the id of any other object: 24 hex digits, always the same for a label (platform-facts.md, 3.1 and 4). */
export const createSeedObjectId = (label: string): string => computeDigest(label).slice(0, 24);
