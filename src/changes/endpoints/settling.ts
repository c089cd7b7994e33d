import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { type ResourceRef, sameRef } from '../../catalog/resourceRef.ts';
import { documentHash } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { Settled } from '../model/settled.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { Look, Versions } from '../model/writeKind.ts';

export const notHappened: Settled = { state: 'not-happened' };
export const unknown: Settled = { state: 'unknown' };
export const isGone: Settled = { state: 'happened', answer: undefined };

/** The target of a write now and before it. */
export interface TargetLook {
  readonly look: ReadDocument;
  readonly old: ReadDocument | undefined;
}

/** The target as the server has it now; `undefined` for a write without one. */
export async function lookAtTarget(write: Write, { client, before }: Look): Promise<TargetLook | undefined> {
  const { target } = write;
  if (target === undefined) {
    return undefined;
  }
  const ref = ownTarget(write, target);
  const look = { ref, document: await new DocumentReader(client).document(ref) };
  return { look, old: before.find((one) => sameRef(one.ref, ref)) };
}

/** The document of a write that changes one, by itself, as the server has it now. */
export function readTarget(client: PlatformClient, write: Write): Promise<JsonValue | undefined> {
  const { target } = write;
  return target === undefined
    ? Promise.resolve(undefined)
    : new DocumentReader(client).document(ownTarget(write, target));
}

/** A rule that an earlier write made is deleted by an id that only the path knows. */
export function ownTarget({ params }: Write, target: ResourceRef): ResourceRef {
  const { ruleId } = params;
  return ruleId !== undefined && 'subject' in target
    ? { kind: 'rule', subject: target.subject, ruleId }
    : target;
}

/**
 * A change happened when its document says what was sent, and did not when it is as it was.
 * @param isShown whether the document tells at all: secrets are not shown
 */
export async function settleChange(
  write: Write,
  look: Look,
  says: (write: Write, versions: Versions) => boolean,
  isShown: (write: Write, former: Versions['old']) => boolean = () => true,
): Promise<Settled> {
  const { look: now, old } = (await lookAtTarget(write, look)) ?? {};
  if (now === undefined || old === undefined) {
    return unknown;
  }
  if (isSame(now, old)) {
    return notHappened;
  }
  const former = isJsonObject(old.document) ? old.document : {};
  return isShown(write, former) &&
    isJsonObject(now.document) &&
    says(write, { now: now.document, old: former })
    ? { state: 'happened', answer: now.document }
    : { state: 'unknown', changed: now };
}

/** Ids are not used twice: what is there was not deleted. */
export async function settleDeletion(write: Write, look: Look): Promise<Settled> {
  const target = await lookAtTarget(write, look);
  if (target === undefined) {
    return unknown;
  }
  const { look: now, old } = target;
  return now.document === undefined ? isGone : notDone(now, old);
}

/** It was not done; where it is not as it was either, somebody else has changed it. */
export const notDone = (now: ReadDocument, old: ReadDocument | undefined): Settled =>
  old === undefined || isSame(now, old) ? notHappened : { state: 'not-happened', changed: now };

export const isSame = (a: ReadDocument, b: ReadDocument): boolean =>
  documentHash(a.ref.kind, a.document) === documentHash(b.ref.kind, b.document);
