import { type ResourceRef, getRefKey } from '../../catalog/resourceRef.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';

/**
 * Reads the current version of each document; duplicates are read once.
 * @throws ApiError
 */
export async function readDocuments(
  reader: DocumentReader,
  refs: readonly (ResourceRef | undefined)[],
): Promise<readonly ReadDocument[]> {
  const refsByKey = new Map(
    refs.flatMap((ref) => (ref === undefined ? [] : [[getRefKey(ref), ref] as const])),
  );
  return Promise.all(
    [...refsByKey.values()].map(async (ref) => ({ ref, document: await reader.readDocument(ref) })),
  );
}

/** Returns a reference to the target's datamodel, which is needed to restore the relations of deleted columns. */
export const getDatamodelRef = (target: ResourceRef | undefined): ResourceRef | undefined =>
  target !== undefined && 'datamodelId' in target
    ? { kind: 'datamodel', datamodelId: target.datamodelId }
    : undefined;
