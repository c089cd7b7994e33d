import { getRefKey } from '../../catalog/resourceRef.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isOrderedRuleWrite } from '../rules/ruleAction.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { loadWriteKinds } from './writeKinds.ts';

/**
 * Reads the documents that writes will change or delete, each once, plus what is needed to restore them.
 * @throws ApiError
 */
export async function readAffectedDocuments(
  writes: readonly Write[],
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> {
  const getWriteKind = await loadWriteKinds(writes);
  const documents = new Map<string, ReadDocument>();
  for (const write of writes) {
    for (const document of targetExistsBefore(write)
      ? await getWriteKind(write).readBefore(write, reader)
      : []) {
      documents.set(getRefKey(document.ref), document);
    }
  }
  return [...documents.values()];
}

/** Returns whether the target exists before the operation, and isn't created by an earlier write of it. */
const targetExistsBefore = (write: Write): boolean =>
  isOrderedRuleWrite(write) || write.outputRefs?.some(({ into: [root] }) => root === 'params') !== true;
