import type { PlatformClient } from '../../client/platformClient.ts';
import { sameJson } from '../../base/canonicalJson.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, refKey, sameRef } from '../../catalog/resourceRef.ts';
import { ownTarget } from '../endpoints/settling.ts';
import { loadWriteKind, loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import type { Created, WriteKind } from '../model/writeKind.ts';
import type { HistoryEntry, WriteState } from '../journal/entry.ts';
import { conflictOf, expectedOf } from './conflicts.ts';
import { beforeWrite, isWhole } from './documentAfter.ts';
import { documentHash } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { withMadeValues } from '../model/madeValues.ts';
import type { Write } from '../model/operation.ts';
import type { Expected } from './runOptions.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';

/**
 * What became of the writes of an interrupted operation, as far as the server shows it.
 * @param goesOn whether what is left will be sent: then somebody may have changed nothing that is deleted either
 * @throws ConflictError for a document that somebody else has changed, so that nobody knows whether a write was done
 * @throws ApiError
 */
export async function lookAgain(
  entry: HistoryEntry,
  client: PlatformClient,
  { goesOn }: { readonly goesOn: boolean },
): Promise<readonly WriteState[]> {
  const states = [...entry.writes];
  for (const index of entry.operation.writes.keys()) {
    const state = states[index]?.state;
    const write = asSent(entry, states, index);
    if ((state !== 'sending' && state !== 'unknown') || write === undefined || isRuleChangeWrite(write)) {
      // Of a change of rules, the rules that are there tell.
      continue;
    }
    const kind = await loadWriteKind(write);
    const settled = await kind.settle(write, {
      client,
      before: documentsBefore(entry, states, index),
    });
    if (settled.state === 'happened') {
      const { answer } = settled;
      states[index] = { state: 'done', path: '', ms: 0, ...(answer === undefined ? {} : { answer }) };
    } else if (settled.changed !== undefined && (goesOn || settled.state === 'unknown')) {
      throw conflictOf(settled.changed);
    }
  }
  return states;
}

/** A write that was done: what it found, and what it was answered. */
interface Done {
  readonly write: Write;
  readonly kind: WriteKind;
  readonly answer: JsonValue | undefined;
  readonly before: readonly ReadDocument[];
}

/**
 * The documents that an interrupted operation has changed or made, as they are now.
 * @param states what became of its writes
 * @throws ConflictError for one that is not as the operation left it: somebody has changed it since
 * @throws ApiError
 */
export async function ownWork(
  entry: HistoryEntry,
  states: readonly WriteState[],
  client: PlatformClient,
): Promise<readonly Expected[]> {
  const kindOf = await loadWriteKinds(entry.operation.writes);
  const reader = new DocumentReader(client);
  const all = [...entry.operation.writes.keys()].flatMap((index): readonly Done[] => {
    const [state, write] = [states[index], asSent(entry, states, index)];
    return state?.state === 'done' && write !== undefined
      ? [{ write, kind: kindOf(write), answer: state.answer, before: documentsBefore(entry, states, index) }]
      : [];
  });
  const gone = all.flatMap(deletedBy);
  const expected: Expected[] = [];
  const look = async (ref: ResourceRef, isAsLeft: (now: JsonValue | undefined) => boolean): Promise<void> => {
    const now = { ref, document: await reader.document(ref) };
    if (!isAsLeft(now.document)) {
      throw conflictOf(now);
    }
    expected.push(expectedOf(now));
  };
  const isGone = (ref: ResourceRef): boolean => gone.some((other) => isWithin(ref, other));
  const changed = new Map(all.flatMap((done) => changedBy(done).map((ref) => [refKey(ref), { ref, done }])));
  for (const { ref, done } of changed.values()) {
    if (!isGone(ref)) {
      await look(ref, (now) => isLeftBy(done, { ref, document: now }));
    }
  }
  const own = new Set(all.flatMap(({ answer }) => (isJsonObject(answer) ? [answer['oid'] ?? null] : [])));
  for (const { ref, isAsMade } of all.flatMap(createdBy)) {
    if (!isGone(ref) && !changed.has(refKey(ref))) {
      await look(ref, (now) => isAsMade(now, own));
    }
  }
  return expected;
}

const documentsBefore = (
  { operation, before }: HistoryEntry,
  states: readonly WriteState[],
  index: number,
): readonly ReadDocument[] =>
  beforeWrite(index, operation, {
    before: before.map(({ ref, document }) => ({ ref, document })),
    states,
  });

/** The write as it was sent. Not for a batch, of which the server shows what was done, nor where it was never sent. */
function asSent(
  { operation }: HistoryEntry,
  states: readonly WriteState[],
  index: number,
): Write | undefined {
  const write = operation.writes[index];
  const answers = states.map((state) => (state.state === 'done' ? state.answer : undefined));
  const isKnown = write?.made?.every((made) => answers[made.write] !== undefined) ?? true;
  return write === undefined || write.batch !== undefined || !isKnown
    ? undefined
    : withMadeValues(write, answers);
}

const createdBy = ({ write, kind, answer }: Done): readonly Created[] => kind.created?.(write, answer) ?? [];

const deletedBy = ({ write, kind }: Done): readonly ResourceRef[] =>
  kind.action === 'delete' && write.target !== undefined ? [ownTarget(write, write.target)] : [];

/** What is deleted goes with all that is in it. */
const isWithin = (ref: ResourceRef, gone: ResourceRef): boolean =>
  sameRef(ref, gone) ||
  ('datamodelId' in gone &&
    Object.entries(gone).every(([name, id]) => name === 'kind' || Reflect.get(ref, name) === id));

function changedBy({ write, kind: { action }, before }: Done): readonly ResourceRef[] {
  if (action === 'update-many') {
    return before.map(({ ref }) => ref).filter(({ kind }) => kind === 'customDataObject');
  }
  return write.target === undefined || action !== 'update' ? [] : [write.target];
}

/**
 * Whether a document is what a write left: what it was answered where that is the whole document, else what was sent
 * and, of all that the write does not speak of, what was there before.
 */
function isLeftBy({ write, kind, answer, before }: Done, { ref, document: now }: ReadDocument): boolean {
  const old = before.find((one) => sameRef(one.ref, ref))?.document;
  if (!isJsonObject(old) || !isJsonObject(now)) {
    return false;
  }
  const { merged, says, spoken } = kind;
  if (merged !== undefined) {
    return sameJson(now, merged(write, old));
  }
  if (isWhole(answer, old, ref) && documentHash(ref.kind, answer) === documentHash(ref.kind, now)) {
    return true;
  }
  const own = new Set(spoken?.(write, old) ?? (isJsonObject(write.body) ? Object.keys(write.body) : []));
  return (
    says?.(write, { now, old }) === true && sameJson(old, now, (name) => own.has(name) || isBookkeeping(name))
  );
}
