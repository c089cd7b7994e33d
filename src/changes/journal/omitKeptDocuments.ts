import { isJsonObject } from '../../base/json.ts';
import { getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import type { Write } from '../model/operation.ts';
import { asObject, omitMembers } from '../model/jsonMembers.ts';
import type { ChangedDocument } from './changedDocuments.ts';
import type { HistoryEntry } from './entry.ts';
import { getWrittenObjectId } from './undoCustomData.ts';

/**
 * Returns an entry whose undo doesn't overwrite later changes of some documents: omits the members that were changed
 * later from its writes. Omits the whole write if these members are unknown, if the write has no others, if the
 * document no longer exists, or if it's a custom data object. The name, the columns, and the SQL of a table are kept
 * together: rules have the names of both the table and the column.
 * @param keptCreations the indices of writes that are omitted as a whole: they have created what is kept
 */
export function omitKeptDocuments(
  entry: HistoryEntry,
  keptDocuments: readonly ChangedDocument[],
  keptCreations: ReadonlySet<number> = new Set(),
): HistoryEntry {
  const keptByKey = new Map(
    keptDocuments.map((document) => [getRefKey(document.ref), keepNamesTogether(entry, document)]),
  );
  const remainingWrites = entry.operation.writes.map((write, index) => {
    const document = findWrittenDocument(write, keptByKey);
    if (keptCreations.has(index)) {
      return undefined;
    }
    return document === undefined ? write : omitKeptMembers(write, document);
  });
  return {
    ...entry,
    operation: {
      ...entry.operation,
      writes: entry.operation.writes.map((write, index) => remainingWrites[index] ?? write),
    },
    writeStates: entry.writeStates.map((state, index) =>
      remainingWrites[index] === undefined ? { state: 'waiting' } : state,
    ),
    before: entry.before.filter(
      ({ ref }) => ref.kind !== 'customDataObject' || !keptByKey.has(getRefKey(ref)),
    ),
  };
}

/** The members of a table that determine the names that rules refer to. */
export const namingMembers: readonly string[] = ['name', 'columns', 'expression'];

/**
 * Adds all {@link namingMembers} to the changed members of a table if the entry has written one of them and others have
 * changed it later.
 */
function keepNamesTogether({ operation }: HistoryEntry, document: ChangedDocument): ChangedDocument {
  const written = new Set(
    operation.writes
      .filter(({ target }) => target !== undefined && isSameRef(target, document.ref))
      .flatMap(({ body }) => Object.keys(asObject(body))),
  );
  const isNameChanged = namingMembers.some((name) => written.has(name) && document.members.includes(name));
  return document.ref.kind === 'table' && isNameChanged
    ? { ...document, members: [...new Set([...document.members, ...namingMembers])] }
    : document;
}

/** Returns the document that a write changes, if it is one of `documents`. */
export const findWrittenDocument = (
  write: Write,
  documents: ReadonlyMap<string, ChangedDocument>,
): ChangedDocument | undefined => {
  if (write.target !== undefined && write.target.kind !== 'customData') {
    return documents.get(getRefKey(write.target));
  }
  const objectId = getWrittenObjectId(write);
  return objectId === undefined
    ? undefined
    : documents.get(getRefKey({ kind: 'customDataObject', objectId }));
};

/** Returns a write without the members that were changed later; `undefined` if nothing is left of it. */
function omitKeptMembers(write: Write, { ref, isGone, members }: ChangedDocument): Write | undefined {
  const body = asObject(write.body);
  if (isGone || members.length === 0 || ref.kind === 'customDataObject' || !isJsonObject(write.body)) {
    return undefined;
  }
  const remainingBody = omitMembers(body, ...members);
  return Object.keys(remainingBody).length === 0 ? undefined : { ...write, body: remainingBody };
}
