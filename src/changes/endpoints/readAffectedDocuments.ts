import { getRefKey } from '../../catalog/resourceRef.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';
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
  const found = new Map<string, ReadDocument>();
  for (const write of writes) {
    for (const read of existsBefore(write) ? await getWriteKind(write).readBefore(write, reader) : []) {
      found.set(getRefKey(read.ref), read);
    }
  }
  return [...found.values()];
}

/** Returns whether the target exists before the operation, not created by an earlier write of it. */
const existsBefore = (write: Write): boolean =>
  isRuleChangeWrite(write) || write.made?.some(({ into: [part] }) => part === 'params') !== true;
