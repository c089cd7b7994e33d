import { getRefKey } from '../../catalog/resourceRef.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { loadWriteKinds } from './writeKinds.ts';

/**
 * Reads the documents that writes will change or delete, each once, plus what is needed to restore them, and the items
 * that already have the name of a new one.
 * @throws ApiError
 */
export async function readAffectedDocuments(
  writes: readonly Write[],
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> {
  const getWriteKind = await loadWriteKinds(writes);
  const documents = new Map<string, ReadDocument>();
  for (const write of writes) {
    for (const document of isReadBefore(write) ? await getWriteKind(write).readBefore(write, reader) : []) {
      documents.set(getRefKey(document.ref), document);
    }
  }
  return [...documents.values()];
}

/**
 * Reads the items that already have the name of the item that a write creates.
 * @throws ApiError
 */
export const readNamesakes = async (write: Write, reader: DocumentReader): Promise<readonly ReadDocument[]> =>
  (await loadWriteKinds([write]))(write).readBefore(write, reader);

/**
 * Returns whether something is read before a write. Nothing is read if an earlier write creates its target. Rules are
 * always read, since the order of their requests depends on all rules of their subject.
 */
const isReadBefore = (write: Write): boolean =>
  isGroupedRuleWrite(write) || write.outputRefs?.some(({ into: [root] }) => root === 'params') !== true;
