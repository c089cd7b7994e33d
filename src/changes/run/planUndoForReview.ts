import { getRefId, getRefKey } from '../../catalog/resourceRef.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { JsonObject } from '../../base/json.ts';
import { datamodelSchema, relationSchema } from '../../contract/datamodel.ts';
import { extractRuleSchema } from '../../contract/rule.ts';
import { type ChangedColumn, findChangedColumns, getRuleColumnKey } from '../journal/changedColumns.ts';
import {
  type ChangedDocument,
  findChangedCreations,
  findChangedDocuments,
} from '../journal/changedDocuments.ts';
import { readCreatedItems } from '../journal/createdItems.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { computeKeptProtection, type KeptProtection } from '../journal/keptProtection.ts';
import type { CurrentModel } from '../journal/keptReach.ts';
import type { KeptRuleColumn } from '../journal/keptRules.ts';
import { findWrittenDocument } from '../journal/omitKeptDocuments.ts';
import { createOtherTableCheck, renameRestoredItems } from '../journal/renameRestored.ts';
import { createRestoredNamesLookup } from '../journal/restoredNames.ts';
import { createRestore, createUndo, type UndoOperation } from '../journal/undo.ts';
import { getEntryRuleSubjects } from '../journal/undoRules.ts';
import { conflictHash } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { ModelIndex } from '../model/modelIndex.ts';
import type { Plan, PlannedRule } from '../model/plan.ts';
import { collectPartyNames, createRelationSubject, toPlannedRule } from '../model/planSubjects.ts';
import { readCompleteDatamodel } from '../model/readCompleteDatamodel.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { asObject } from '../model/jsonMembers.ts';
import { toExpectedVersion } from './conflicts.ts';
import { readCurrentModels } from './currentModels.ts';
import { createKeptChange, type KeptChange, type KeptPart } from './keptChange.ts';
import { findNameConflicts, type NameConflict } from './nameConflicts.ts';
import { type PlannedUndo, readCurrentState } from './planUndo.ts';
import type { WriteSession } from './runOptions.ts';

/** What the user has decided about an undo. */
export interface UndoChoices {
  /** The later changes to overwrite, by ID; the others are kept. */
  readonly overwrittenIds: ReadonlySet<string>;
  /** New names of restored items, by their former IDs. */
  readonly names: ReadonlyMap<string, string>;
}

/** A change that was made after an entry to something that its undo or restore would write. */
export interface LaterChange {
  readonly id: string;
  readonly kind: ReadDocument['ref']['kind'];
  readonly name: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
  /** True if it no longer exists. */
  readonly isGone: boolean;
  /** The changed fields: after the entry, and now; empty for rules. */
  readonly fields: ChangedDocument['fields'];
  /** The columns whose rules stay as they are if it is kept (`findKeptRuleColumns`); for a document that is kept. */
  readonly keptRuleColumns?: readonly string[];
  /** The relations and tables that stay as they are then (`keepDocuments`). */
  readonly keptItems?: readonly string[];
  /** The parts of the change in it that aren't undone, since it is kept. */
  readonly keptParts?: readonly KeptPart[];
  /** The rules of a column: after the entry, and now. */
  readonly rules?: { readonly before: readonly PlannedRule[]; readonly now: readonly PlannedRule[] };
  /**
   * Whether the user decides what happens to it; otherwise it is always kept.
   */
  readonly canOverwrite: boolean;
  /** True if the entry has created it: overwritten, it is deleted. */
  readonly isCreated?: true;
  readonly isOverwritten: boolean;
}

/** An undo or a restore for a review: what was changed since, and which names are in use. */
export interface UndoForReview extends PlannedUndo {
  readonly laterChanges: readonly LaterChange[];
  readonly nameConflicts: readonly NameConflict[];
  /** What stays of the change in the documents that are kept; absent if nothing does. */
  readonly keptChange?: KeptChange;
  /** What doesn't work, or couldn't be checked, because of what stays. */
  readonly keptEffects?: Pick<Plan, 'breaks' | 'unchecked'>;
}

/** Returns the names of what an undo could restore, but doesn't, since the user keeps later changes. */
export const getKeptNames = ({ laterChanges }: Pick<UndoForReview, 'laterChanges'>): readonly string[] =>
  laterChanges
    .filter(({ canOverwrite, isOverwritten }) => canOverwrite && !isOverwritten)
    .map(({ name }) => name);

interface ReviewDeps {
  readonly sessions: { get(connectionId: string): Promise<WriteSession> };
  readonly history: History;
}

/** The data that an undo is computed from. */
interface UndoContext {
  readonly entry: HistoryEntry;
  readonly mode: 'undo' | 'restore';
  readonly currentDocuments: readonly ReadDocument[];
  readonly columns: readonly ChangedColumn[];
  readonly documents: readonly ChangedDocument[];
  /** The current datamodels of the changed documents, by their IDs. */
  readonly models: ReadonlyMap<string, CurrentModel>;
}

/**
 * Computes an undo or a restore with the user's decisions, based on the server's current state. It expects exactly the
 * documents that it was computed from.
 * @throws ApiError
 */
export async function planUndoForReview(
  entry: HistoryEntry,
  mode: 'undo' | 'restore',
  choices: UndoChoices,
  deps: ReviewDeps,
): Promise<UndoForReview> {
  const { connectionId } = entry.operation;
  const treatReplacedAs = mode === 'undo' ? 'gone' : 'same';
  const { client } = await deps.sessions.get(connectionId);
  const reader = new DocumentReader(client);
  const { currentEntry, currentDocuments, conflicts, undoCountBefore } = await readCurrentState(
    entry,
    { treatReplacedAs, reader },
    deps,
  );
  const laterEntries = (await deps.history.readEntries(connectionId))
    .filter(({ startedAt }) => startedAt > entry.startedAt)
    .toSorted((a, b) => a.startedAt - b.startedAt);
  // A restore is meant to overwrite the user's own later changes.
  const ownEntries = [currentEntry, ...(mode === 'undo' ? [] : laterEntries)];
  const changedDocuments = findChangedDocuments(currentEntry, ownEntries, currentDocuments);
  const contextWithoutCreations: UndoContext = {
    entry: currentEntry,
    mode,
    currentDocuments,
    columns: getEntryRuleSubjects(currentEntry).flatMap((subject) =>
      findChangedColumns(subject, ownEntries, currentDocuments),
    ),
    documents: changedDocuments,
    models: new Map(),
  };
  const overwritingUndo = await createUndoOperation(
    contextWithoutCreations,
    new Set(getChangeIds(contextWithoutCreations)),
    new Map(),
  );
  const created =
    mode === 'undo' ? await readChangedCreations(currentEntry, overwritingUndo, reader) : noCreations;
  const documents = [...changedDocuments, ...created.changes];
  const context: UndoContext = {
    ...contextWithoutCreations,
    documents,
    models: await readCurrentModels(currentEntry, documents, reader),
  };
  const overwritableIds = findOverwritableIds(context, overwritingUndo);
  const overwrittenIds = addReturnedColumns(context, choices.overwrittenIds).intersection(overwritableIds);
  const nameConflicts = await findNameConflicts(
    await createUndoOperation(context, overwrittenIds, new Map()),
    {
      names: choices.names,
      reader,
    },
  );
  const relations = await readRelationTexts(context.documents, client);
  const newNames = new Map(nameConflicts.map(({ id, newName }) => [id, newName]));
  const isOtherTable = createOtherTableCheck(currentEntry, newNames);
  const namedContext = {
    ...context,
    columns: context.columns.filter(({ subject, table }) => !isOtherTable(subject, table)),
  };
  const undo = await createUndoOperation(namedContext, overwrittenIds, newNames);
  const kept = getKeptProtection(context, overwrittenIds);
  const keptColumnIds = new Set([...kept.ruleColumns.values()].flat().map(getColumnId));
  return {
    ...undo,
    expectedVersions: [
      ...currentDocuments.map(toExpectedVersion),
      ...created.documents.map(toExpectedVersion),
      // Rules that others have changed on a name that the undo gives back.
      ...undo.expectedVersions.filter(({ ref, hash }) => ref.kind === 'columnRules' && hash === conflictHash),
      ...conflicts,
    ],
    undoCountBefore,
    laterChanges: [
      ...namedContext.columns
        .filter((column) => !keptColumnIds.has(getColumnId(column)))
        .map((column) => describeChangedColumn(column, overwrittenIds)),
      ...context.documents.map((document) => ({
        ...describeChangedDocument(document, overwrittenIds, overwritableIds),
        ...relations.get(document),
        keptRuleColumns: (kept.ruleColumns.get(document) ?? []).map(
          ({ table, column }) => `${table}.${column}`,
        ),
        keptItems: kept.itemNames.get(document) ?? [],
      })),
    ],
    nameConflicts,
    ...createKeptChange(context, kept.writes, undo.operation.writes),
  };
}

const noCreations = { documents: [], changes: [] };

/**
 * Reads what an entry has created and its undo deletes, and finds what others have changed in it.
 * @throws ApiError
 */
async function readChangedCreations(
  entry: HistoryEntry,
  { operation }: UndoOperation,
  reader: DocumentReader,
): Promise<{ readonly documents: readonly ReadDocument[]; readonly changes: readonly ChangedDocument[] }> {
  const targets = new Set(operation.writes.flatMap(({ target }) => (target ? [getRefKey(target)] : [])));
  const items = (await readCreatedItems(entry)).filter(({ ref }) => targets.has(getRefKey(ref)));
  const documents = await Promise.all(
    items.map(async ({ ref }) => ({ ref, document: await reader.readDocument(ref) })),
  );
  return { documents, changes: findChangedCreations(items, documents) };
}

const getColumnId = (column: KeptRuleColumn): string => getRuleColumnKey(column.subject, column);

/** Returns the documents whose later changes are kept. */
const getKeptDocuments = (
  { documents }: UndoContext,
  overwrittenIds: ReadonlySet<string>,
): readonly ChangedDocument[] => documents.filter(({ ref }) => !overwrittenIds.has(getRefKey(ref)));

/** Adds the IDs of the columns whose names the undo gives back: the rules on them are restored in any case. */
function addReturnedColumns(context: UndoContext, overwrittenIds: ReadonlySet<string>): ReadonlySet<string> {
  const { currentDocuments, columns } = context;
  const { entry: remaining } = getKeptProtection(context, overwrittenIds);
  const getReturnedNames = createRestoredNamesLookup(remaining, currentDocuments);
  const returned = columns.filter((column) => getReturnedNames(column.subject).has(column, 'certainly'));
  return overwrittenIds.union(new Set(returned.map(getColumnId)));
}

/** Returns what remains to be undone, and what stays as it is with the documents that are kept. */
const getKeptProtection = (context: UndoContext, overwrittenIds: ReadonlySet<string>): KeptProtection =>
  computeKeptProtection(context.entry, getKeptDocuments(context, overwrittenIds), {
    ...context,
    subjects: getEntryRuleSubjects(context.entry),
  });

const getChangeIds = ({ columns, documents }: UndoContext): readonly string[] => [
  ...columns.map(getColumnId),
  ...documents.map(({ ref }) => getRefKey(ref)),
];

function createUndoOperation(
  context: UndoContext,
  overwrittenIds: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): Promise<UndoOperation> {
  const { mode, currentDocuments, columns } = context;
  const kept = getKeptProtection(context, overwrittenIds);
  const columnIds = new Set(columns.map(getColumnId));
  const keptIds = new Set([...kept.ruleColumns.values()].flat().map(getColumnId));
  const ruleChoices = {
    keptColumns: columnIds.difference(overwrittenIds).union(keptIds),
    overwrittenColumns: columnIds.intersection(overwrittenIds).difference(keptIds),
  };
  const create = mode === 'undo' ? createUndo : createRestore;
  return create(renameRestoredItems(kept.entry, names), currentDocuments, ruleChoices);
}

/** Returns the IDs of the later changes that an undo would overwrite if it kept none of them. */
function findOverwritableIds(
  context: UndoContext,
  { operation: { writes }, restoredIds }: UndoOperation,
): ReadonlySet<string> {
  const idsToRestore = new Set(restoredIds.map(({ old }) => old));
  const isOverwritten = (document: ChangedDocument): boolean =>
    document.isCreated === true ||
    (document.isGone
      ? idsToRestore.has(getRefId(document.ref) ?? '')
      : writes.some((write) => overwrites(write, document)));
  return new Set([
    ...context.columns.map(getColumnId),
    ...context.documents.filter(isOverwritten).map(({ ref }) => getRefKey(ref)),
  ]);
}

function overwrites(write: Write, document: ChangedDocument): boolean {
  if (findWrittenDocument(write, new Map([[getRefKey(document.ref), document]])) === undefined) {
    return false;
  }
  const sentNames = Object.keys(asObject(write.body));
  return (
    document.ref.kind === 'customDataObject' ||
    document.members.length === 0 ||
    sentNames.length === 0 ||
    sentNames.some((name) => document.members.includes(name))
  );
}

/**
 * Describes the relations among changed documents by the names of their columns, which only their datamodel has.
 * Relations of a datamodel that can't be parsed are left out.
 * @throws ApiError
 */
async function readRelationTexts(
  documents: readonly ChangedDocument[],
  client: WriteSession['client'],
): Promise<ReadonlyMap<ChangedDocument, Pick<LaterChange, 'name' | 'fields'>>> {
  const texts = new Map<ChangedDocument, Pick<LaterChange, 'name' | 'fields'>>();
  const indexes = new Map<string, Promise<ModelIndex | undefined>>();
  for (const document of documents) {
    const { ref, fields, joinedColumns } = document;
    if (ref.kind === 'relation' && joinedColumns !== undefined) {
      const indexPromise = indexes.get(ref.datamodelId) ?? readModelIndex(client, ref.datamodelId);
      indexes.set(ref.datamodelId, indexPromise);
      const index = await indexPromise;
      if (index !== undefined) {
        const [before, after] = [joinedColumns.expected, joinedColumns.current].map((columns) =>
          formatJoinedColumns(columns, index),
        );
        texts.set(document, {
          name: after || before || ref.relationId,
          fields: fields.map((change) =>
            change.field === 'columns'
              ? { field: 'columns', ...(before ? { before } : {}), ...(after ? { after } : {}) }
              : change,
          ),
        });
      }
    }
  }
  return texts;
}

/** Formats the columns that a relation joins; empty if there are none or they can't be parsed. */
function formatJoinedColumns(columns: readonly JsonObject[], index: ModelIndex): string {
  const relation = relationSchema.safeParse({ oid: 'relation', columns }).data;
  return relation === undefined ? '' : createRelationSubject(relation, index).name;
}

async function readModelIndex(
  client: WriteSession['client'],
  datamodelId: string,
): Promise<ModelIndex | undefined> {
  const model = datamodelSchema.safeParse(await readCompleteDatamodel(client, datamodelId)).data;
  return model && new ModelIndex(model);
}

function describeChangedColumn(column: ChangedColumn, overwrittenIds: ReadonlySet<string>): LaterChange {
  const names = collectPartyNames([...column.expectedRules, ...column.currentRules]);
  const toPlannedRules = (rules: ChangedColumn['expectedRules']): readonly PlannedRule[] =>
    rules.flatMap((rule) => {
      const parsed = extractRuleSchema.safeParse(rule).data;
      return parsed === undefined ? [] : (toPlannedRule(parsed, names) ?? []);
    });
  const id = getColumnId(column);
  return {
    id,
    kind: 'columnRules',
    name: `${column.table}.${column.column}`,
    within: [getSubjectTitle(column.subject)],
    isGone: false,
    fields: [],
    rules: { before: toPlannedRules(column.expectedRules), now: toPlannedRules(column.currentRules) },
    canOverwrite: true,
    isOverwritten: overwrittenIds.has(id),
  };
}

function describeChangedDocument(
  { ref, name, isGone, isCreated, fields }: ChangedDocument,
  overwrittenIds: ReadonlySet<string>,
  overwritableIds: ReadonlySet<string>,
): LaterChange {
  const id = getRefKey(ref);
  return {
    id,
    kind: ref.kind,
    name,
    within: [],
    isGone,
    fields,
    canOverwrite: overwritableIds.has(id),
    ...(isCreated === undefined ? {} : { isCreated }),
    isOverwritten: overwrittenIds.has(id),
  };
}
