import type { PlatformClient } from '../api/platformClient.ts';
import { sameJson } from '../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { type ResourceRef, sameRef } from '../catalog/resourceRef.ts';
import { documentHash } from './documentHash.ts';
import { DocumentReader } from './documentReader.ts';
import type { Write } from './operation.ts';
import type { ReadDocument } from './preImages.ts';
import { saysSent } from './saysSent.ts';
import type { Settled } from './settled.ts';
import { isCreation, settleCreation } from './settleCreation.ts';

const notHappened: Settled = { state: 'not-happened' };
const unknown: Settled = { state: 'unknown' };
const isGone: Settled = { state: 'happened', answer: undefined };

/**
 * Looks at the server to find out whether a write took effect although its answer was lost. It did when the document
 * says what was sent, and did not when the document is as it was; anything else is the work of somebody else, and
 * nobody knows. Nothing is sent again.
 * @param before the documents as they were before the write
 * @throws ApiError when the server cannot be looked at
 */
export async function settle(
  client: PlatformClient,
  write: Write,
  before: readonly ReadDocument[],
): Promise<Settled> {
  if (isCreation(write)) {
    return settleCreation(client, write, before);
  }
  const reader = new DocumentReader(client);
  const { endpoint, target } = write;
  if (endpoint.startsWith('customData.')) {
    return settleMatching(write, reader, before);
  }
  if (target === undefined) {
    return endpoint === 'tables.update' ? settleOwnTable(write, reader) : unknown;
  }
  const ref = ownTarget(write, target);
  const look = { ref, document: await reader.document(ref) };
  const old = before.find((one) => sameRef(one.ref, ref));
  if (endpoint.endsWith('.deleteByColumn')) {
    return settleColumnDeletion(look, old);
  }
  return endpoint.endsWith('.delete') ? settleDeletion(look, old) : settleChange(write, look, old);
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

const isSame = (a: ReadDocument, b: ReadDocument): boolean =>
  documentHash(a.ref.kind, a.document) === documentHash(b.ref.kind, b.document);

function settleChange(write: Write, look: ReadDocument, old: ReadDocument | undefined): Settled {
  if (old === undefined) {
    return unknown;
  }
  if (isSame(look, old)) {
    return notHappened;
  }
  const [now, former] = [look.document, isJsonObject(old.document) ? old.document : {}];
  // Secrets are not shown: of a change of nothing else, the document does not tell.
  const isShown = write.endpoint !== 'datasets.update' || !saysSent(write, { now: former, old: former });
  return isShown && isJsonObject(now) && saysSent(write, { now, old: former })
    ? { state: 'happened', answer: now }
    : { state: 'unknown', changed: look };
}

/** A table that the same operation has made: of before there is nothing, and what it does not say yet was not done. */
async function settleOwnTable(write: Write, reader: DocumentReader): Promise<Settled> {
  const { datamodelId = '', datasetId = '', tableId = '' } = write.params;
  const now = await reader.document({ kind: 'table', datamodelId, datasetId, tableId });
  if (!isJsonObject(now)) {
    return unknown;
  }
  return saysSent(write, { now, old: {} }) ? { state: 'happened', answer: now } : notHappened;
}

/** Ids are not used twice: what is there was not deleted. */
function settleDeletion(look: ReadDocument, old: ReadDocument | undefined): Settled {
  if (look.document === undefined) {
    return isGone;
  }
  return old === undefined || isSame(look, old) ? notHappened : { state: 'not-happened', changed: look };
}

/** The rules of one column; somebody may have added one since. */
function settleColumnDeletion(look: ReadDocument, old: ReadDocument | undefined): Settled {
  const left = rulesIn(look.document);
  const known = new Set(rulesIn(old?.document).map(({ _id }) => _id));
  const kept = left.filter(({ _id = null }) => old === undefined || known.has(_id));
  if (kept.length === 0) {
    return isGone;
  }
  return old === undefined || isSame(look, old) ? notHappened : { state: 'not-happened', changed: look };
}

/** Each object that matched says what was sent, or is as it was. */
async function settleMatching(
  write: Write,
  reader: DocumentReader,
  before: readonly ReadDocument[],
): Promise<Settled> {
  const objects = before.filter(({ ref }) => ref.kind === 'customDataObject');
  if (objects.length === 0) {
    return unknown;
  }
  // What said before what was sent tells nothing.
  const telling = objects.filter(({ document }) => !isWanted(write, document));
  let done = 0;
  for (const old of telling) {
    const look = { ref: old.ref, document: await reader.document(old.ref) };
    if (isWanted(write, look.document)) {
      done += 1;
    } else if (!isSame(look, old)) {
      return { state: 'unknown', changed: look };
    }
  }
  if (done === 0 && telling.length > 0) {
    return notHappened;
  }
  return done === telling.length ? { state: 'happened', answer: undefined } : unknown;
}

/** A change merges at the root (design.md, section 5). */
function isWanted({ endpoint, body }: Write, now: JsonValue | undefined): boolean {
  if (endpoint === 'customData.deleteMatching') {
    return now === undefined;
  }
  const change = isJsonObject(body) ? body['objectForUpdate'] : undefined;
  return (
    isJsonObject(now) &&
    isJsonObject(change) &&
    Object.entries(change).every(([name, value]) => Object.hasOwn(now, name) && sameJson(value, now[name]))
  );
}

const rulesIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
