import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import { hashDocument } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { VerifyContext, Versions } from '../model/writeKind.ts';

export const notHappenedOutcome: WriteOutcome = { state: 'not-happened' };
export const unknownOutcome: WriteOutcome = { state: 'unknown' };
export const deletedOutcome: WriteOutcome = { state: 'happened', response: undefined };

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
  const ref = getWrittenTarget(write, target);
  const current = { ref, document: await new DocumentReader(client).readDocument(ref) };
  return { current, previous: before.find((candidate) => isSameRef(candidate.ref, ref)) };
}

/** Reads the current document of the target; `undefined` if it doesn't exist, or for a write without a target. */
export function readTarget(client: PlatformClient, write: Write): Promise<JsonValue | undefined> {
  const { target } = write;
  return target === undefined
    ? Promise.resolve(undefined)
    : new DocumentReader(client).readDocument(getWrittenTarget(write, target));
}

/** Returns the document that a write affects. For a rule that the same operation created, only `params` has its ID. */
export function getWrittenTarget({ params }: Write, target: ResourceRef): ResourceRef {
  const { ruleId } = params;
  return ruleId !== undefined && 'subject' in target
    ? { kind: 'rule', subject: target.subject, ruleId }
    : target;
}

/**
 * Verifies a change of one document: it happened if the document matches the request, and did not if the document is
 * unchanged, or is as earlier writes of the operation have left it. Otherwise, the outcome is unknown.
 * @param showsChange returns whether the document can show the change at all; secrets are masked
 */
export async function verifyChange(
  write: Write,
  context: VerifyContext,
  matchesRequest: (write: Write, versions: Versions) => boolean,
  showsChange: (write: Write, previousDocument: Versions['previous']) => boolean = () => true,
): Promise<WriteOutcome> {
  const { current, previous } = (await readTargetState(write, context)) ?? {};
  if (current === undefined || previous === undefined) {
    return unknownOutcome;
  }
  if (
    isSameDocument(current, previous, context.writtenIds) ||
    context.matchesEarlierWrites?.(current) === true
  ) {
    return notHappenedOutcome;
  }
  const previousDocument = isJsonObject(previous.document) ? previous.document : {};
  return showsChange(write, previousDocument) &&
    isJsonObject(current.document) &&
    matchesRequest(write, { current: current.document, previous: previousDocument })
    ? { state: 'happened', response: current.document }
    : { state: 'unknown', changedDocument: current };
}

/** Verifies a deletion. IDs are never reused, so a document that still exists was not deleted. */
export async function verifyDeletion(write: Write, context: VerifyContext): Promise<WriteOutcome> {
  const target = await readTargetState(write, context);
  if (target === undefined) {
    return unknownOutcome;
  }
  const { current, previous } = target;
  return current.document === undefined
    ? deletedOutcome
    : context.matchesEarlierWrites?.(current) === true
      ? notHappenedOutcome
      : createNotHappenedOutcome(current, previous, context.writtenIds);
}

/** Returns the outcome of a write that did not happen; a document that has changed was changed by another user. */
export const createNotHappenedOutcome = (
  current: ReadDocument,
  previous: ReadDocument | undefined,
  writtenIds?: ReadonlySet<string>,
): WriteOutcome =>
  previous === undefined || isSameDocument(current, previous, writtenIds)
    ? notHappenedOutcome
    : { state: 'not-happened', changedDocument: current };

/**
 * Returns whether two versions of a document are the same, apart from what the server changes itself.
 * @param writtenIds the IDs of contents that may differ, since the same operation has written them
 */
export function isSameDocument(
  a: ReadDocument,
  b: ReadDocument,
  writtenIds: ReadonlySet<string> = new Set(),
): boolean {
  const [hashOfA, hashOfB] = [a, b].map(({ ref, document }) =>
    hashDocument(ref.kind, document && omitContents(document, writtenIds)),
  );
  return hashOfA === hashOfB;
}

/** Omits the datasets, tables, and relations with these IDs, and the relations of tables with these IDs. */
function omitContents(value: JsonValue, ids: ReadonlySet<string>): JsonValue {
  if (ids.size === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[])
      .filter((item) => !isAffected(asObject(item), ids))
      .map((item) => omitContents(item, ids));
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, omitContents(member, ids)]))
    : value;
}

const isAffected = ({ oid, columns }: JsonObject, ids: ReadonlySet<string>): boolean =>
  ids.has(getText(oid)) || getObjects(columns).some(({ table }) => ids.has(getText(table)));
