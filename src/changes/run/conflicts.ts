import { hashDocument } from '../model/documentHash.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { ConflictError } from './problems.ts';
import type { Expected } from './runOptions.ts';

/** What somebody else has made of a document. */
export const createConflict = ({ ref, document }: ReadDocument): ConflictError =>
  new ConflictError(ref, document, hashDocument(ref.kind, document));

/** The version that was read is the one that is meant. */
export const toExpected = ({ ref, document }: ReadDocument): Expected => ({
  ref,
  hash: hashDocument(ref.kind, document),
});

/** @throws ConflictError for the first document that is not as expected */
export async function checkExpected(expected: readonly Expected[], reader: DocumentReader): Promise<void> {
  for (const { ref, hash } of expected) {
    const look = { ref, document: await reader.document(ref) };
    if (toExpected(look).hash !== hash) {
      throw createConflict(look);
    }
  }
}
