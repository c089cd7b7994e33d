import type { JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { hashDocument } from '../model/documentHash.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import { getText } from '../model/jsonMembers.ts';
import type { ParsedRuleDocument } from '../rules/parsedRuleDocument.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { ConflictError, NameTakenError } from './writeErrors.ts';
import type { ExpectedVersion } from './runOptions.ts';

/**
 * Creates the error for a document that another user has changed.
 * @param otherRefs other documents that have changed, too
 */
export const createConflictError = (
  { ref, document }: ReadDocument,
  otherRefs: readonly ResourceRef[] = [],
): ConflictError => new ConflictError(ref, document, hashDocument(ref.kind, document), otherRefs);

/**
 * Creates the error for rules that other users have changed or deleted.
 * @param changed at least one
 * @param current the rules of the datamodel or cube set now
 */
export function createRuleConflict(
  subject: RuleSubject,
  changed: readonly ParsedRuleDocument[],
  current: readonly ParsedRuleDocument[],
): ConflictError {
  const columns = new Map(changed.map((parsed) => [parsed.columnKey, parsed]));
  const [ref, ...otherRefs] = [...columns.values()].map(
    ({ document }): ResourceRef => ({
      kind: 'columnRules',
      subject,
      table: getText(document['table']),
      column: getText(document['column']),
    }),
  );
  const [columnKey] = columns.keys();
  const document = current
    .filter((other) => other.columnKey === columnKey)
    .map(({ document }): JsonValue => document);
  return createConflictError({ ref: ref ?? { kind: 'rules', subject }, document }, otherRefs);
}

/** Returns the error for what another user has changed or created, according to the outcome of a write. */
export function findConflict({
  changedDocument,
  namesake,
}: Exclude<WriteOutcome, { readonly state: 'happened' }>): ConflictError | undefined {
  if (namesake !== undefined) {
    const { ref, document } = namesake;
    return new NameTakenError(ref, document, hashDocument(ref.kind, document));
  }
  return changedDocument && createConflictError(changedDocument);
}

/** Converts a document to an expected version: the document must not change after it was read. */
export const toExpectedVersion = ({ ref, document }: ReadDocument): ExpectedVersion => ({
  ref,
  hash: hashDocument(ref.kind, document),
});

/** @throws ConflictError for the first document that differs from the expected version */
export async function checkExpectedVersions(
  expected: readonly ExpectedVersion[],
  reader: DocumentReader,
): Promise<void> {
  for (const { ref, hash } of expected) {
    const current = { ref, document: await reader.readDocument(ref) };
    if (toExpectedVersion(current).hash !== hash) {
      throw createConflictError(current);
    }
  }
}
