import { refKey } from '../../catalog/resourceRef.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { loadWriteKinds } from './writeKinds.ts';

/**
 * The documents that writes will change or delete, each once, as they are now, and what is needed besides to bring them
 * back.
 * @throws ApiError
 */
export async function reachedDocuments(
  writes: readonly Write[],
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> {
  const kindOf = await loadWriteKinds(writes);
  const found = new Map<string, ReadDocument>();
  for (const write of writes) {
    for (const read of isThere(write) ? await kindOf(write).before(write, reader) : []) {
      found.set(refKey(read.ref), read);
    }
  }
  return [...found.values()];
}

/** What an earlier write will make is not there yet. */
const isThere = (write: Write): boolean =>
  isRuleChangeWrite(write) || write.made?.some(({ into: [part] }) => part === 'params') !== true;
