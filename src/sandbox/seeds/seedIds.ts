import { createHash } from 'node:crypto';

const computeDigest = (label: string): string => createHash('sha256').update(label).digest('hex');

/** The oid of a model, dataset, table, column or relation: the same for the same label, in the form of a UUID. */
export function createSeedOid(label: string): string {
  const hex = computeDigest(label);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The id of a rule, user, group, viewpoint or custom data object: 24 hex digits (platform-facts.md, 3.1 and 4). */
export const createSeedObjectId = (label: string): string => computeDigest(label).slice(0, 24);
