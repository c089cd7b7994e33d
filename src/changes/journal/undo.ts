import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { type ResourceRef, getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import { type WriteKindLookup, loadWriteKinds } from '../endpoints/writeKinds.ts';
import { getWriteRuleSubjects } from '../model/ruleSubjects.ts';
import type { DoneWrite } from '../model/writeKind.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { resolveOutputs } from '../model/outputRefs.ts';
import type { Operation, Write } from '../model/operation.ts';
import { isRuleChangeWrite, isRuleWrite } from '../rules/ruleAction.ts';
import { undoCustomData, isCustomDataWrite } from './undoCustomData.ts';
import type { HistoryEntry, KeptDocument } from './entry.ts';
import { InverseWrites, type Loss, type MovedId, type CurrentDocuments } from '../model/inverseWrites.ts';
import { isRuleChange, undoRules, undoRulesOfSubject, getEntryRuleSubjects } from './undoRules.ts';

/** An operation that takes another one back, and what it cannot bring back. */
export interface UndoOperation {
  readonly operation: Operation;
  /** The documents must still be as the operation left them; none when they are restored over whatever is there. */
  readonly expect: HistoryEntry['after'];
  readonly losses: readonly Loss[];
  /** What comes back under another id. */
  readonly moved: readonly MovedId[];
}

/** What has to be read now before an entry can be taken back. */
export const getRefsToRead = (entry: HistoryEntry): readonly ResourceRef[] => [
  ...entry.before.map(({ ref }) => ref),
  // Which of the rules it made or deleted are there: they come back under other ids.
  ...getEntryRuleSubjects(entry).map((subject): ResourceRef => ({ kind: 'rules', subject })),
];

/**
 * The operation that undoes what an entry did, as far as it was done: in the other order, and only if nobody has
 * changed its documents since.
 */
export async function createUndo(entry: HistoryEntry, present: CurrentDocuments): Promise<UndoOperation> {
  const inverse = createInverseWrites(entry, present, await loadWriteKinds(entry.operation.writes));
  const { connectionId, subject } = entry.operation;
  return {
    operation: { connectionId, cause: 'undo', subject, writes: inverse.writes },
    expect: [
      ...entry.after.filter(({ hash }) => hash !== 'absent'),
      ...inverse.missing.map((ref) => ({ ref, hash: 'made' })),
    ],
    losses: inverse.losses,
    moved: inverse.moved,
  };
}

/**
 * The operation that brings the documents of an entry back as they were before it, whatever was done since. A server
 * may carry out what it calls failed: what was sent counts where its document is not what it was.
 */
export async function createRestore(entry: HistoryEntry, present: CurrentDocuments): Promise<UndoOperation> {
  const changed = findChangedTargets(entry, present);
  const writes = entry.writes.map((state, index) => {
    const write = entry.operation.writes[index];
    const target = write?.target;
    // What was added to the rules of before goes: beside it they show more than they did.
    const isKept = state.state === 'done' && write !== undefined && isRuleWrite(write);
    return isKept ? state : markAsDone(state, target !== undefined && changed.has(getRefKey(target)));
  });
  const inverse = createInverseWrites(
    { ...entry, writes },
    present,
    await loadWriteKinds(entry.operation.writes),
  );
  const { connectionId, subject } = entry.operation;
  return {
    operation: { connectionId, cause: 'restore', subject, writes: inverse.writes },
    expect: [],
    // What the operation had created is left alone, so nobody misses its id.
    losses: inverse.losses.filter(({ code }) => code !== 'not-identified'),
    moved: inverse.moved,
  };
}

/** What was changed is restored; what an operation had created, besides rules, is left where it is. */
const markAsDone = (
  state: HistoryEntry['writes'][number],
  isChanged: boolean,
): HistoryEntry['writes'][number] => {
  if (state.state === 'done') {
    return { ...state, answer: undefined };
  }
  if (!isChanged || state.state === 'waiting') {
    return state;
  }
  const sent = 'path' in state ? state : { path: '', ms: 0 };
  return { ...sent, state: 'done', answer: undefined };
};

/** The documents that are not what they were, by {@link getRefKey}. */
function findChangedTargets({ before }: HistoryEntry, present: CurrentDocuments): ReadonlySet<string> {
  const now = new Map(present.map(({ ref, document }) => [getRefKey(ref), document]));
  return new Set(
    before
      .filter(({ ref, document }) => !isSameContent(document, now.get(getRefKey(ref))))
      .map(({ ref }) => getRefKey(ref)),
  );
}

/** Whether two versions of a document say the same, as far as the history keeps it: without secrets. */
const isSameContent = (before: JsonValue | undefined, now: JsonValue | undefined): boolean =>
  before === undefined || now === undefined
    ? before === now
    : jsonEquals(maskSecrets(before), maskSecrets(now), isServerManagedField);

function createInverseWrites(
  entry: HistoryEntry,
  present: CurrentDocuments,
  kindOf: WriteKindLookup,
): Pick<InverseWrites, 'writes' | 'losses' | 'moved' | 'missing'> {
  const inverse = new InverseWrites(present);
  if (isRuleChange(entry)) {
    undoRules(entry, inverse);
    return inverse;
  }
  const answers = entry.writes.map((state) => (state.state === 'done' ? state.answer : undefined));
  const subjects = new Set<string>();
  let isDataBack = false;
  for (const [index, write] of [...entry.operation.writes.entries()].toReversed()) {
    if (isRuleChangeWrite(write)) {
      // The rules of a datamodel go back as one change, at the place of the last write of them.
      const [subject] = getWriteRuleSubjects(write);
      if (subject !== undefined && !subjects.has(JSON.stringify(subject))) {
        subjects.add(JSON.stringify(subject));
        undoRulesOfSubject(entry, subject, inverse);
      }
      continue;
    }
    if (isCustomDataWrite(write)) {
      if (!isDataBack) {
        undoCustomData(entry, inverse);
        isDataBack = true;
      }
      continue;
    }
    const state = entry.writes[index];
    if (state?.state === 'done') {
      const sent = fillOutputs(write, answers);
      kindOf(sent).addInverse?.(sent, toDoneWrite(sent, state.answer, entry), inverse);
    } else if (state?.state === 'unknown' || state?.state === 'sending') {
      inverse.addLoss({ code: 'unknown', name: entry.operation.subject.name });
    }
  }
  return inverse;
}

/** As it was sent; where an answer is not kept, what it made cannot be named. */
function fillOutputs(write: Write, answers: readonly (JsonValue | undefined)[]): Write {
  try {
    return resolveOutputs(write, answers);
  } catch {
    return write;
  }
}

/** All that a write has to know of itself to be taken back. */
function toDoneWrite(
  { params, target }: Write,
  answer: JsonValue | undefined,
  { before, operation }: HistoryEntry,
): DoneWrite {
  const { datamodelId = '' } = params;
  return {
    old: target && findDocument(before, target),
    model: datamodelId === '' ? undefined : findDocument(before, { kind: 'datamodel', datamodelId }),
    answer,
    before: before.map(({ ref, document }) => ({ ref, document })),
    name: operation.writes.length === 1 ? operation.subject.name : undefined,
  };
}

const findDocument = (documents: readonly KeptDocument[], target: ResourceRef): JsonValue | undefined =>
  documents.find(({ ref }) => isSameRef(ref, target))?.document;
