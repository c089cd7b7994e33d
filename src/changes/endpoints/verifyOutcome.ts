import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import { hashDocument } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { VerifyContext, Versions } from '../model/writeKind.ts';

export const notHappened: WriteOutcome = { state: 'not-happened' };
export const unknownOutcome: WriteOutcome = { state: 'unknown' };
export const deletionHappened: WriteOutcome = { state: 'happened', answer: undefined };

/** The target of a write: the current version, and the one from before the write. */
export interface TargetState {
  readonly current: ReadDocument;
  readonly previous: ReadDocument | undefined;
}

/** Reads the current version of the target; `undefined` for a write without a target. */
export async function readTargetState(
  write: Write,
  { client, before }: VerifyContext,
): Promise<TargetState | undefined> {
  const { target } = write;
  if (target === undefined) {
    return undefined;
  }
  const ref = getOwnTarget(write, target);
  const look = { ref, document: await new DocumentReader(client).document(ref) };
  return { current: look, previous: before.find((one) => isSameRef(one.ref, ref)) };
}

/** Reads the current document of the target; `undefined` if it doesn't exist, or for a write without a target. */
export function readTarget(client: PlatformClient, write: Write): Promise<JsonValue | undefined> {
  const { target } = write;
  return target === undefined
    ? Promise.resolve(undefined)
    : new DocumentReader(client).document(getOwnTarget(write, target));
}

/** Returns the document that a write affects. For a rule that the same operation created, only `params` has its ID. */
export function getOwnTarget({ params }: Write, target: ResourceRef): ResourceRef {
  const { ruleId } = params;
  return ruleId !== undefined && 'subject' in target
    ? { kind: 'rule', subject: target.subject, ruleId }
    : target;
}

/**
 * Verifies a change of one document: it happened if the document matches the request, and did not if the document is
 * unchanged.
 * @param showsChange returns whether the document can show the change at all; secrets are masked
 */
export async function verifyChange(
  write: Write,
  look: VerifyContext,
  says: (write: Write, versions: Versions) => boolean,
  isShown: (write: Write, former: Versions['old']) => boolean = () => true,
): Promise<WriteOutcome> {
  const { current: now, previous } = (await readTargetState(write, look)) ?? {};
  if (now === undefined || previous === undefined) {
    return unknownOutcome;
  }
  if (isSameDocument(now, previous)) {
    return notHappened;
  }
  const former = isJsonObject(previous.document) ? previous.document : {};
  return isShown(write, former) &&
    isJsonObject(now.document) &&
    says(write, { now: now.document, old: former })
    ? { state: 'happened', answer: now.document }
    : { state: 'unknown', changed: now };
}

/** Verifies a deletion. IDs are never reused, so a document that still exists was not deleted. */
export async function verifyDeletion(write: Write, look: VerifyContext): Promise<WriteOutcome> {
  const target = await readTargetState(write, look);
  if (target === undefined) {
    return unknownOutcome;
  }
  const { current: now, previous } = target;
  return now.document === undefined ? deletionHappened : toNotHappened(now, previous);
}

/** Returns the outcome of a write that did not happen; a document that has changed was changed by another user. */
export const toNotHappened = (now: ReadDocument, old: ReadDocument | undefined): WriteOutcome =>
  old === undefined || isSameDocument(now, old) ? notHappened : { state: 'not-happened', changed: now };

export const isSameDocument = (a: ReadDocument, b: ReadDocument): boolean =>
  hashDocument(a.ref.kind, a.document) === hashDocument(b.ref.kind, b.document);
