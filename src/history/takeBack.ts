import { sameJson } from '../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { maskSecrets } from '../secrets/maskSecrets.ts';
import { type ResourceRef, refKey, sameRef } from '../catalog/resourceRef.ts';
import { isBookkeeping } from '../contract/bookkeeping.ts';
import { tableProperties } from '../contract/table.ts';
import { ruleSubjectsOf } from '../writes/affected.ts';
import { withMadeValues } from '../writes/madeValues.ts';
import type { Operation, Write } from '../writes/operation.ts';
import { isRuleChangeWrite } from '../writes/ruleGroup.ts';
import { customDataBack, isCustomData } from './customDataBack.ts';
import type { HistoryEntry, KeptDocument } from './entry.ts';
import { InverseWrites, type Loss, type MovedId, type Present } from './inverseWrites.ts';
import { asObject, textOf } from './read.ts';
import { rebuildDataset, rebuildModel, rebuildTable } from './rebuild.ts';
import { isRuleChange, isRuleWrite, rulesBack, rulesOfSubjectBack, ruleSubjects } from './rulesBack.ts';
import { ruleBack, viewpointBack } from './smallInverses.ts';
import { tableBack } from './tableBack.ts';

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
export function undo(entry: HistoryEntry, present: Present): TakenBack {
  const taken = takeBack(entry, present);
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
export function restore(entry: HistoryEntry, present: Present): TakenBack {
  const changed = changedTargets(entry, present);
  const writes = entry.writes.map((state, index) => {
    const write = entry.operation.writes[index];
    const target = write?.target;
    // What was added to the rules of before goes: beside it they show more than they did.
    const isKept = state.state === 'done' && write !== undefined && isRuleWrite(write);
    return isKept ? state : toDone(state, target !== undefined && changed.has(refKey(target)));
  });
  const taken = takeBack({ ...entry, writes }, present);
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
): Pick<InverseWrites, 'writes' | 'losses' | 'moved' | 'missing'> {
  const inverse = new InverseWrites(present);
  if (isRuleChange(entry)) {
    rulesBack(entry, inverse);
    return inverse;
  }
  if (isCustomData(entry)) {
    customDataBack(entry, inverse);
    return inverse;
  }
  const answers = entry.writes.map((state) => (state.state === 'done' ? state.answer : undefined));
  const subjects = new Set<string>();
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
    const state = entry.writes[index];
    if (state?.state === 'done') {
      takeOneBack(filled(write, answers), state.answer, entry, inverse);
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

const documentIn = (documents: readonly KeptDocument[], target: ResourceRef): JsonValue | undefined =>
  documents.find(({ ref }) => sameRef(ref, target))?.document;

function takeOneBack(
  write: Write,
  answer: JsonValue | undefined,
  { before, operation }: HistoryEntry,
  inverse: InverseWrites,
): void {
  const { endpoint, params, target } = write;
  const old = target === undefined ? undefined : documentIn(before, target);
  const { datamodelId = '' } = params;
  const model = datamodelId === '' ? undefined : documentIn(before, { kind: 'datamodel', datamodelId });
  const area = endpoint.slice(0, endpoint.indexOf('.'));
  const isStillThere =
    endpoint.endsWith('.delete') && target !== undefined && inverse.present(target) !== undefined;
  if (area === 'extractRules' || area === 'liveRules') {
    ruleBack(write, { old, answer }, inverse);
  } else if (area === 'viewpoints') {
    viewpointBack(write, { old, answer }, inverse);
  } else if (endpoint.endsWith('.create')) {
    deleteCreated(write, answer, inverse);
  } else if (endpoint === 'tables.update') {
    tableBack(write, { old: asObject(old), model }, inverse);
  } else if (endpoint === 'tables.delete' && isStillThere) {
    tableBack(
      { ...write, endpoint: 'tables.update', body: tableFields(asObject(old)) },
      { old: asObject(old), model },
      inverse,
    );
  } else if (isStillThere && endpoint !== 'relations.delete') {
    // Somebody has made it again under its own id, which only the server can: nothing is missing.
    return;
  } else if (endpoint === 'tables.delete') {
    rebuildTable({ table: asObject(old), ids: params, model }, inverse);
  } else if (endpoint === 'datasets.delete') {
    rebuildDataset({ datasetId: params['datasetId'] ?? '', datamodelId, model }, inverse);
  } else if (endpoint === 'datamodels.delete') {
    rebuildModel(asObject(model), before, inverse);
  } else if (endpoint === 'datasets.update') {
    inverse.add({
      endpoint,
      params,
      body: { connection: asObject(old)['connection'] ?? null },
      ...to(target),
    });
  } else if (endpoint === 'relations.update') {
    inverse.add({ endpoint, params, body: { columns: asObject(old)['columns'] ?? [] }, ...to(target) });
  } else if (endpoint === 'relations.delete') {
    // By itself it was what the operation was about, and its document names no table.
    const name = operation.writes.length === 1 ? operation.subject.name : undefined;
    inverse.relation(datamodelId, asObject(old), { model, name });
  }
}

const tableFields = (table: JsonObject): JsonObject =>
  Object.fromEntries(
    tableProperties.flatMap((name) => (table[name] === undefined ? [] : [[name, table[name]] as const])),
  );

const to = (target: ResourceRef | undefined) => (target === undefined ? {} : { target });

const idNames = {
  'datamodels.create': 'datamodelId',
  'datasets.create': 'datasetId',
  'tables.create': 'tableId',
  'relations.create': 'relationId',
} as const;

/** What was created is deleted again, by the id that the server answered. */
function deleteCreated(
  { endpoint, params, target }: Write,
  answer: JsonValue | undefined,
  inverse: InverseWrites,
): void {
  const name = idNames[endpoint as keyof typeof idNames];
  const oid = textOf(asObject(answer)['oid']);
  if (oid === '') {
    inverse.lose({ code: 'not-identified', name: textOf(asObject(target)['kind']) });
    return;
  }
  const ids = { ...params, [name]: oid };
  const kind = name.slice(0, -'Id'.length);
  inverse.add({
    endpoint: endpoint.replace('.create', '.delete') as Write['endpoint'],
    params: ids,
    target: { kind, ...ids } as ResourceRef,
  });
}
