import { containsRef, isSameRef, type ResourceRef } from '../../catalog/resourceRef.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import type { ChangedDocument } from './changedDocuments.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns the writes of an entry that have created a document or what it needs, by their indices: its containers and
 * contents, for a relation also the tables that it joins, and later changes of them, with the known IDs. Empty for a
 * document that existed before and needs nothing of the entry.
 */
export const findCreationWrites = (
  entry: HistoryEntry,
  { ref, isCreated, joinedColumns }: ChangedDocument,
): ReadonlyMap<number, Write> =>
  new Map([
    ...(isCreated === true ? findWritesThatCreate(entry, ref) : []),
    ...(ref.kind === 'relation' ? getObjects([...(joinedColumns?.current ?? [])]) : []).flatMap((end) =>
      findWritesThatCreate(entry, toTableRef(ref, end)),
    ),
  ]);

/** Returns the existing tables to which the entry has added a column that a relation joins. */
export const findJoinedTables = (
  { before }: HistoryEntry,
  { ref, joinedColumns }: ChangedDocument,
): readonly ResourceRef[] =>
  (ref.kind === 'relation' ? (joinedColumns?.current ?? []) : []).flatMap((end) => {
    const table = toTableRef(ref, end);
    const document = before.find((each) => isSameRef(each.ref, table))?.document;
    const isAdded = !getObjects(asObject(document)['columns']).some(({ oid }) => oid === end['column']);
    return document !== undefined && isAdded ? [table] : [];
  });

const toTableRef = (
  relation: ResourceRef,
  { dataset, table }: { readonly dataset?: unknown; readonly table?: unknown },
): ResourceRef => ({
  kind: 'table',
  datamodelId: 'datamodelId' in relation ? relation.datamodelId : '',
  datasetId: getText(dataset),
  tableId: getText(table),
});

function findWritesThatCreate(
  { operation, writeStates }: HistoryEntry,
  item: ResourceRef,
): readonly (readonly [index: number, write: Write])[] {
  const responses = writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  return operation.writes.flatMap((sent, index) => {
    const write = resolveKnownOutputs(sent, responses);
    const { oid, id } = asObject(responses[index]);
    const created = getCreatedRef(write, getText(oid) || getText(id));
    return created !== undefined && (containsRef(item, created) || containsRef(created, item))
      ? [[index, write] as const]
      : [];
  });
}

/** Returns what a write has created, or has changed in an item that its operation has created. */
function getCreatedRef({ endpoint, params, target }: Write, createdId: string): ResourceRef | undefined {
  const { datamodelId = '', datasetId = '', tableId = '' } = params;
  if (endpoint === 'tables.update') {
    return target === undefined ? { kind: 'table', datamodelId, datasetId, tableId } : undefined;
  }
  if (createdId === '') {
    return undefined;
  }
  const refs: Readonly<Record<string, ResourceRef>> = {
    'datamodels.create': { kind: 'datamodel', datamodelId: createdId },
    'datasets.create': { kind: 'dataset', datamodelId, datasetId: createdId },
    'tables.create': { kind: 'table', datamodelId, datasetId, tableId: createdId },
    'relations.create': { kind: 'relation', datamodelId, relationId: createdId },
    'viewpoints.create': { kind: 'viewpoint', viewpointId: createdId },
  };
  return refs[endpoint];
}
