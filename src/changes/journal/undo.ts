import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { type ResourceRef, containsRef, getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject, isSameSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { type WriteKindLookup, loadWriteKinds } from '../endpoints/writeKinds.ts';
import { conflictHash } from '../model/documentHash.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import type { RecordedWrite } from '../model/writeKind.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { resolveOutputs } from '../model/outputRefs.ts';
import { Documents } from '../model/snapshot.ts';
import type { Operation, Write } from '../model/operation.ts';
import { isGroupedRuleWrite, isRuleWrite } from '../rules/ruleAction.ts';
import { collectRules } from '../rules/ruleEdits.ts';
import { undoCustomData, isCustomDataWrite } from './undoCustomData.ts';
import { getTablesBefore, hidesTable } from './tablesBefore.ts';
import { isViewpointWrite, undoViewpoints } from './undoViewpoints.ts';
import type { RuleChoices } from './changedColumns.ts';
import { getTablesToHide, hideCreatedTables } from './createdTables.ts';
import { findDeletedIds } from './deletedIds.ts';
import type { HistoryEntry } from './entry.ts';
import { isOnlyReliedOn } from './reliedOnRules.ts';
import { createRestoredNamesLookup } from './restoredNames.ts';
import { InverseWrites, type Loss, type RestoredId, type CurrentDocuments } from '../model/inverseWrites.ts';
import {
  isRuleChange,
  type SplitRuleReversal,
  splitRuleReversal,
  undoRuleGroup,
  undoRules,
  getEntryRuleSubjects,
} from './undoRules.ts';

/** An operation that undoes another one, and what it can't restore. */
export interface UndoOperation {
  readonly operation: Operation;
  /**
   * The documents with the hashes that they must still have when the operation runs. Empty for a restore: it may
   * overwrite later changes. The review of an undo or a restore replaces them by the documents that it was made from.
   */
  readonly expectedVersions: HistoryEntry['versionsAfter'];
  readonly losses: readonly Loss[];
  /** Items that are restored under another ID. */
  readonly restoredIds: readonly RestoredId[];
}

/** No column was changed later, or the user was not asked about later changes. */
const noChoices: RuleChoices = { keptColumns: new Set(), overwrittenColumns: new Set() };

/**
 * Returns references to the documents that must be read before an entry can be undone. With them,
 * {@link getRestoredRuleRefs} returns those of further rules.
 */
export function getRefsToRead(entry: HistoryEntry): readonly ResourceRef[] {
  const reliedOn = getReliedOnSubjects(entry);
  return [
    ...entry.before.map(({ ref }) => ref),
    ...getTablesToHide(entry),
    // All rules, to find created and restored ones: restored rules have other IDs.
    ...getEntryRuleSubjects(entry).map((subject): ResourceRef => ({ kind: 'rules', subject })),
  ].filter((ref) => !('subject' in ref) || !reliedOn.has(getRefKey({ kind: 'rules', subject: ref.subject })));
}

/**
 * Returns references to the rules that an entry doesn't change, but that are on names that its undo gives back.
 * @param documents the current documents of {@link getRefsToRead}
 */
export function getRestoredRuleRefs(
  entry: HistoryEntry,
  documents: CurrentDocuments,
): readonly ResourceRef[] {
  const getReturnedNames = createRestoredNamesLookup(entry, documents);
  return [...getReliedOnSubjects(entry).values()]
    .filter((subject) => {
      const returned = getReturnedNames(subject);
      return collectRules(entry.before, subject).some((rule) => returned.has(rule, 'possibly'));
    })
    .map((subject) => ({ kind: 'rules', subject }));
}

/** Returns the subjects of the rules that an entry only relies on, by the keys of their references. */
function getReliedOnSubjects(entry: HistoryEntry): ReadonlyMap<string, RuleSubject> {
  const changed = new Set(
    [
      ...entry.operation.writes.map(getWriteRuleSubject),
      ...entry.before.map(({ ref }) =>
        'subject' in ref && !isOnlyReliedOn(ref, entry) ? ref.subject : undefined,
      ),
    ].map((subject) => subject && getRefKey({ kind: 'rules', subject })),
  );
  return new Map(
    getEntryRuleSubjects(entry)
      .map((subject) => [getRefKey({ kind: 'rules', subject }), subject] as const)
      .filter(([key]) => !changed.has(key)),
  );
}

/**
 * Creates the operation that undoes the completed writes of an entry, in reverse order. Checks nothing itself: the
 * `expectedVersions` stop the operation if a document has changed since the entry.
 * @param choices what happens to columns whose rules were changed later
 */
export async function createUndo(
  entry: HistoryEntry,
  currentDocuments: CurrentDocuments,
  choices = noChoices,
): Promise<UndoOperation> {
  const getWriteKind = await loadWriteKinds(entry.operation.writes);
  const tablesBefore = getTablesBefore(entry, currentDocuments);
  const inverse = createInverseWrites(entry, currentDocuments, { getWriteKind, choices, tablesBefore });
  return {
    operation: createOperation(entry, 'undo', inverse.writes),
    expectedVersions: [
      ...entry.versionsAfter.filter(({ hash }) => hash !== 'absent'),
      // No document has this hash, so these documents stop the undo: others have deleted or changed what it would undo.
      ...inverse.conflictingRefs.map((ref) => ({ ref, hash: conflictHash })),
      ...inverse.requiredVersions,
    ],
    losses: inverse.losses,
    restoredIds: inverse.restoredIds,
  };
}

/**
 * Creates the operation that restores the documents from before an entry, even if they were changed later. A server may
 * carry out a request that it reports as failed, so a write counts as done if its document has changed.
 * @param choices what happens to columns whose rules were changed later: they may be kept
 */
export async function createRestore(
  entry: HistoryEntry,
  currentDocuments: CurrentDocuments,
  choices = noChoices,
): Promise<UndoOperation> {
  const changed = findChangedTargets(entry, currentDocuments);
  const writes = entry.writeStates.map((state, index) => {
    const write = entry.operation.writes[index];
    const target = write?.target;
    // The response of a rule write has the IDs of the rules that it added. These are deleted: in addition to the
    // restored rules, they would widen access.
    const keepsResponse = state.state === 'done' && write !== undefined && isRuleWrite(write);
    return keepsResponse
      ? state
      : assumeDoneIfChanged(state, target !== undefined && changed.has(getRefKey(target)));
  });
  const getWriteKind = await loadWriteKinds(entry.operation.writes);
  const tablesBefore = getTablesBefore(entry, currentDocuments);
  const inverse = createInverseWrites({ ...entry, writeStates: writes }, currentDocuments, {
    getWriteKind,
    choices,
    tablesBefore,
  });
  return {
    operation: createOperation(entry, 'restore', inverse.writes),
    expectedVersions: [],
    // Created items other than rules are kept, so their IDs are not needed.
    losses: inverse.losses.filter(({ code }) => code !== 'not-identified'),
    restoredIds: inverse.restoredIds,
  };
}

const createOperation = (
  { operation: { connectionId, subject, cubeSets } }: HistoryEntry,
  cause: 'undo' | 'restore',
  writes: readonly Write[],
): Operation => ({
  connectionId,
  cause,
  subject,
  ...(cubeSets === undefined ? {} : { cubeSets }),
  writes,
});

/**
 * Returns the state of a write for a restore: a write that failed, or whose outcome is unknown, counts as done if its
 * document has changed, even if the server has answered that it refused the write; one that was never sent doesn't. The
 * response is omitted, since an undo would delete the created items whose IDs it contains.
 */
const assumeDoneIfChanged = (
  state: HistoryEntry['writeStates'][number],
  isChanged: boolean,
): HistoryEntry['writeStates'][number] => {
  if (state.state === 'done') {
    return { ...state, answer: undefined };
  }
  if (!isChanged || state.state === 'waiting') {
    return state;
  }
  const recordedRequest = 'path' in state ? state : { path: '', ms: 0 };
  return { ...recordedRequest, state: 'done', answer: undefined };
};

/** Returns the keys of the documents that have changed since, by {@link getRefKey}. */
function findChangedTargets(
  { before }: HistoryEntry,
  currentDocuments: CurrentDocuments,
): ReadonlySet<string> {
  const currentByKey = new Map(currentDocuments.map(({ ref, document }) => [getRefKey(ref), document]));
  return new Set(
    before
      .filter(({ ref, document }) => !isSameContent(document, currentByKey.get(getRefKey(ref))))
      .map(({ ref }) => getRefKey(ref)),
  );
}

/** Returns whether two versions of a document are equal apart from secrets, which the history doesn't store. */
const isSameContent = (before: JsonValue | undefined, current: JsonValue | undefined): boolean =>
  before === undefined || current === undefined
    ? before === current
    : jsonEquals(maskConnectorDocument(before), maskConnectorDocument(current), isServerManagedField);

function createInverseWrites(
  entry: HistoryEntry,
  currentDocuments: CurrentDocuments,
  {
    getWriteKind,
    choices,
    tablesBefore,
  }: {
    readonly getWriteKind: WriteKindLookup;
    readonly choices: RuleChoices;
    readonly tablesBefore: ReadonlyMap<number, JsonObject>;
  },
): Pick<InverseWrites, 'writes' | 'losses' | 'restoredIds' | 'conflictingRefs' | 'requiredVersions'> {
  const inverse = new InverseWrites(currentDocuments);
  if (isRuleChange(entry)) {
    undoRules(entry, inverse, choices);
    return inverse;
  }
  const { operation, before } = entry;
  const documents = new Documents(before.map(({ ref, document }) => ({ ref, document })));
  const responses = entry.writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  inverse.setDeletedIds(findDeletedIds(entry, { documents, tablesBefore, inverse, getWriteKind }));
  const getRecordedKind = (write: Write, index: number) => {
    const state = entry.writeStates[index];
    const resolved = tryResolveOutputs(write, responses);
    const name = operation.writes.length === 1 ? operation.subject.name : undefined;
    const kind = getWriteKind(resolved);
    const response = state?.state === 'done' ? state.answer : undefined;
    return {
      target: resolved.target,
      action: kind.action,
      addInverse: (to: InverseWrites): void => {
        const recorded = toRecordedWrite(resolved, response, { documents, before, name });
        const oldDocument = tablesBefore.get(index) ?? recorded.oldDocument;
        kind.addInverse?.(resolved, { ...recorded, oldDocument }, to);
      },
    };
  };
  hideCreatedTables(entry, inverse);
  const addLastViewpoints = undoViewpoints(entry, currentDocuments, {
    inverse,
    addInverse: (write, index, to) => getRecordedKind(write, index).addInverse(to),
  });
  const getReturnedNames = createRestoredNamesLookup(entry, currentDocuments);
  const reversalsBySubject = new Map<string, SplitRuleReversal>();
  for (const subject of getEntryRuleSubjects(entry)) {
    const reversal = splitRuleReversal(entry, subject, {
      inverse,
      choices,
      returned: getReturnedNames(subject),
    });
    reversalsBySubject.set(JSON.stringify(subject), reversal);
    undoRuleGroup(entry, { subject, reversal: reversal.first }, inverse);
  }
  let isCustomDataUndone = false;
  /**
   * Deleted items. They are restored with their earlier contents, so writes to these contents need no undo of their
   * own. Only a table that was hidden until its deletion is restored hidden, and shown when that write is undone.
   */
  const restored: ResourceRef[] = [];
  for (const [index, write] of [...operation.writes.entries()].toReversed()) {
    if (isGroupedRuleWrite(write)) {
      const subject = getWriteRuleSubject(write);
      const reversal = reversalsBySubject.get(JSON.stringify(subject))?.byGroup.get(index);
      if (subject !== undefined && reversal !== undefined) {
        undoRuleGroup(entry, { subject, reversal }, inverse);
      }
      continue;
    }
    if (isCustomDataWrite(write)) {
      if (!isCustomDataUndone) {
        undoCustomData(entry, inverse);
        isCustomDataUndone = true;
      }
      continue;
    }
    const state = entry.writeStates[index];
    if (state?.state === 'done') {
      const { target, action, addInverse } = getRecordedKind(write, index);
      if (
        isViewpointWrite(write) ||
        (target !== undefined &&
          restored.some(
            (container) =>
              containsRef(container, target) && !(isSameRef(container, target) && hidesTable(write)),
          ))
      ) {
        continue;
      }
      addInverse(inverse);
      if (target !== undefined && action === 'delete') {
        restored.push(target);
      }
    } else if (state?.state === 'unknown' || state?.state === 'sending') {
      inverse.addLoss({ code: 'unknown', name: operation.subject.name });
    }
  }
  addLastViewpoints();
  return inverse;
}

/** Returns the write as it was sent, or unresolved if a response that it refers to was not stored. */
function tryResolveOutputs(write: Write, responses: readonly (JsonValue | undefined)[]): Write {
  try {
    return resolveOutputs(write, responses);
  } catch {
    return write;
  }
}

/** Collects everything that a write needs to be undone. */
function toRecordedWrite(
  { params, target }: Write,
  response: JsonValue | undefined,
  {
    documents,
    before,
    name,
  }: {
    readonly documents: Documents;
    readonly before: HistoryEntry['before'];
    readonly name: string | undefined;
  },
): RecordedWrite {
  const { datamodelId = '' } = params;
  return {
    oldDocument: target && documents.get(target),
    model: datamodelId === '' ? undefined : documents.get({ kind: 'datamodel', datamodelId }),
    response,
    rules: findRules(before, datamodelId),
    name,
  };
}

/** Returns the rules that a datamodel had, if they were read: one operation may delete several datamodels. */
function findRules(before: HistoryEntry['before'], datamodelId: string): readonly JsonObject[] {
  const datamodel = before.find(({ ref }) => ref.kind === 'datamodel' && ref.datamodelId === datamodelId);
  const model = datamodelSchema.safeParse(datamodel?.document).data;
  if (model === undefined) {
    return [];
  }
  const subject = getRuleSubject({ ...model, title: datamodel?.formerTitle ?? model.title });
  const rules = before.find(({ ref }) => ref.kind === 'rules' && isSameSubject(ref.subject, subject));
  return getObjects(rules?.document);
}
