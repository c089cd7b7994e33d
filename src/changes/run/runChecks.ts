import { type ResourceRef, containsRef, getRefKey } from '../../catalog/resourceRef.ts';
import { isSameSubject } from '../../catalog/ruleSubject.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { checkExpectedVersions } from './conflicts.ts';
import { hashDocument, hashJson } from '../model/documentHash.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import { findMaskPaths } from '../../base/secrets/maskPaths.ts';
import { mayContainDatasetConnection } from '../model/maskWrite.ts';
import type { Operation } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { type PlanHash, SecretsNeededError } from './writeErrors.ts';
import type { WriteSession } from './runOptions.ts';

/** Returns a hash of the payload of an operation. */
export const hashPayload = ({ connectionId, writes }: Operation): string =>
  hashJson(JSON.parse(JSON.stringify({ connectionId, writes })));

/**
 * Returns a hash of the documents that a plan is based on. Ignores their order, since a server may list them in any.
 */
export const hashBase = (before: readonly ReadDocument[]): string =>
  hashJson(
    before.map(({ ref, document }) => `${getRefKey(ref)} ${hashDocument(ref.kind, document)}`).toSorted(),
  );

export const isSamePlanHash = (a: PlanHash, b: PlanHash): boolean =>
  a.payload === b.payload && a.base === b.base;

/**
 * Checks that the connection allows the writes, before the operation is recorded in the history.
 * @throws ReadOnlyError
 */
export function checkWritable({ client }: WriteSession, { writes }: Operation): void {
  for (const { endpoint } of writes) {
    client.checkWriteAllowed(endpoint);
  }
}

/** @throws SecretsNeededError if a payload contains the mask in place of a secret */
export function checkNoMaskedSecrets({ writes }: Operation): void {
  for (const [index, write] of writes.entries()) {
    const paths = mayContainDatasetConnection(write) ? findMaskPaths(write.body ?? null) : [];
    if (paths.length > 0) {
      throw new SecretsNeededError(index, paths);
    }
  }
}

/**
 * Checks that the documents whose writes were not sent yet are as they were when the operation began. Documents that
 * contain the target of a write that was sent, such as the datamodel of a changed table or the list of a changed rule,
 * are not checked: that write has changed them, too. Rules that remain to be changed are compared again right before
 * they are changed; `checkRemainingRules` checks those that were written.
 * @throws ConflictError
 */
export async function checkUnwrittenDocuments(
  entry: HistoryEntry,
  before: readonly ReadDocument[],
  reader: DocumentReader,
): Promise<void> {
  const isStarted = (ref: ResourceRef): boolean =>
    entry.operation.writes.some(
      ({ target }, index) =>
        target !== undefined && mayContain(ref, target) && entry.writeStates[index]?.state !== 'waiting',
    );
  const isTarget = (ref: ResourceRef): boolean =>
    entry.operation.writes.some(({ target }) => target !== undefined && getRefKey(target) === getRefKey(ref));
  const unwrittenDocuments = before.filter(({ ref }) => isTarget(ref) && !isStarted(ref));
  const expected = unwrittenDocuments.map(({ ref, document }) => ({
    ref,
    hash: hashDocument(ref.kind, document),
  }));
  await checkExpectedVersions(expected, reader);
}

/**
 * Returns whether a document is or contains a resource; of a list of rules, any resource with rules of its datamodel.
 */
const mayContain = (ref: ResourceRef, target: ResourceRef): boolean =>
  containsRef(ref, target) ||
  ((ref.kind === 'rules' || ref.kind === 'columnRules') &&
    'subject' in target &&
    isSameSubject(ref.subject, target.subject));

/**
 * Counts the undos of an entry, including unfinished ones, except those that stopped before they changed anything.
 */
export const countUndos = (id: string, entries: readonly HistoryEntry[]): number =>
  entries.filter(
    ({ undoneEntryId, end, writeStates }) =>
      undoneEntryId === id &&
      (end !== 'stopped' || writeStates.some(({ state }) => state !== 'failed' && state !== 'waiting')),
  ).length;
