import { sameJson } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { type ResourceRef, refKey, sameRef } from '../../catalog/resourceRef.ts';
import { type KindLookup, loadWriteKinds } from '../endpoints/writeKinds.ts';
import { ruleSubjectsOf } from '../model/ruleSubjects.ts';
import type { DoneWrite } from '../model/writeKind.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import { withMadeValues } from '../model/madeValues.ts';
import type { Operation, Write } from '../model/operation.ts';
import { isRuleChangeWrite, isRuleWrite } from '../rules/ruleAction.ts';
import { customDataBack, isCustomDataWrite } from './customDataBack.ts';
import type { HistoryEntry, KeptDocument } from './entry.ts';
import { InverseWrites, type Loss, type MovedId, type Present } from '../model/inverseWrites.ts';
import { isRuleChange, rulesBack, rulesOfSubjectBack, ruleSubjects } from './rulesBack.ts';

/** An operation that takes another one back, and what it cannot bring back. */
export interface TakenBack {
  readonly operation: Operation;
  /** The documents must still be as the operation left them; none when they are restored over whatever is there. */
  readonly expect: HistoryEntry['after'];
  readonly losses: readonly Loss[];
  /** What comes back under another id. */
  readonly moved: readonly MovedId[];
}

/** What has to be read now before an entry can be taken back. */
export const refsToRead = (entry: HistoryEntry): readonly ResourceRef[] => [
  ...entry.before.map(({ ref }) => ref),
  // Which of the rules it made or deleted are there: they come back under other ids.
  ...ruleSubjects(entry).map((subject): ResourceRef => ({ kind: 'rules', subject })),
];

/**
 * The operation that undoes what an entry did, as far as it was done: in the other order, and only if nobody has
 * changed its documents since.
 */
export async function undo(entry: HistoryEntry, present: Present): Promise<TakenBack> {
  const taken = takeBack(entry, present, await loadWriteKinds(entry.operation.writes));
  const { connectionId, subject } = entry.operation;
  return {
    operation: { connectionId, cause: 'undo', subject, writes: taken.writes },
    expect: [
      ...entry.after.filter(({ hash }) => hash !== 'absent'),
      ...taken.missing.map((ref) => ({ ref, hash: 'made' })),
    ],
    losses: taken.losses,
    moved: taken.moved,
  };
}

/**
 * The operation that brings the documents of an entry back as they were before it, whatever was done since. A server
 * may carry out what it calls failed: what was sent counts where its document is not what it was.
 */
export async function restore(entry: HistoryEntry, present: Present): Promise<TakenBack> {
  const changed = changedTargets(entry, present);
  const writes = entry.writes.map((state, index) => {
    const write = entry.operation.writes[index];
    const target = write?.target;
    // What was added to the rules of before goes: beside it they show more than they did.
    const isKept = state.state === 'done' && write !== undefined && isRuleWrite(write);
    return isKept ? state : toDone(state, target !== undefined && changed.has(refKey(target)));
  });
  const taken = takeBack({ ...entry, writes }, present, await loadWriteKinds(entry.operation.writes));
  const { connectionId, subject } = entry.operation;
  return {
    operation: { connectionId, cause: 'restore', subject, writes: taken.writes },
    expect: [],
    // What the operation had created is left alone, so nobody misses its id.
    losses: taken.losses.filter(({ code }) => code !== 'not-identified'),
    moved: taken.moved,
  };
}

/** What was changed is restored; what an operation had created, besides rules, is left where it is. */
const toDone = (
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

/** The documents that are not what they were, by {@link refKey}. */
function changedTargets({ before }: HistoryEntry, present: Present): ReadonlySet<string> {
  const now = new Map(present.map(({ ref, document }) => [refKey(ref), document]));
  return new Set(
    before.filter(({ ref, document }) => !says(document, now.get(refKey(ref)))).map(({ ref }) => refKey(ref)),
  );
}

/** Whether two versions of a document say the same, as far as the history keeps it: without secrets. */
const says = (before: JsonValue | undefined, now: JsonValue | undefined): boolean =>
  before === undefined || now === undefined
    ? before === now
    : sameJson(maskSecrets(before), maskSecrets(now), isBookkeeping);

function takeBack(
  entry: HistoryEntry,
  present: Present,
  kindOf: KindLookup,
): Pick<InverseWrites, 'writes' | 'losses' | 'moved' | 'missing'> {
  const inverse = new InverseWrites(present);
  if (isRuleChange(entry)) {
    rulesBack(entry, inverse);
    return inverse;
  }
  const answers = entry.writes.map((state) => (state.state === 'done' ? state.answer : undefined));
  const subjects = new Set<string>();
  let isDataBack = false;
  for (const [index, write] of [...entry.operation.writes.entries()].toReversed()) {
    if (isRuleChangeWrite(write)) {
      // The rules of a datamodel go back as one change, at the place of the last write of them.
      const [subject] = ruleSubjectsOf(write);
      if (subject !== undefined && !subjects.has(JSON.stringify(subject))) {
        subjects.add(JSON.stringify(subject));
        rulesOfSubjectBack(entry, subject, inverse);
      }
      continue;
    }
    if (isCustomDataWrite(write)) {
      if (!isDataBack) {
        customDataBack(entry, inverse);
        isDataBack = true;
      }
      continue;
    }
    const state = entry.writes[index];
    if (state?.state === 'done') {
      const sent = filled(write, answers);
      kindOf(sent).back?.(sent, doneWrite(sent, state.answer, entry), inverse);
    } else if (state?.state === 'unknown' || state?.state === 'sending') {
      inverse.lose({ code: 'unknown', name: entry.operation.subject.name });
    }
  }
  return inverse;
}

/** As it was sent; where an answer is not kept, what it made cannot be named. */
function filled(write: Write, answers: readonly (JsonValue | undefined)[]): Write {
  try {
    return withMadeValues(write, answers);
  } catch {
    return write;
  }
}

/** All that a write has to know of itself to be taken back. */
function doneWrite(
  { params, target }: Write,
  answer: JsonValue | undefined,
  { before, operation }: HistoryEntry,
): DoneWrite {
  const { datamodelId = '' } = params;
  return {
    old: target && documentIn(before, target),
    model: datamodelId === '' ? undefined : documentIn(before, { kind: 'datamodel', datamodelId }),
    answer,
    before: before.map(({ ref, document }) => ({ ref, document })),
    name: operation.writes.length === 1 ? operation.subject.name : undefined,
  };
}

const documentIn = (documents: readonly KeptDocument[], target: ResourceRef): JsonValue | undefined =>
  documents.find(({ ref }) => sameRef(ref, target))?.document;
