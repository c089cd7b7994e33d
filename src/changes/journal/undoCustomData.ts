import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { customDataKinds } from '../endpoints/customData.ts';
import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
  createObjectCreationWrite,
} from '../model/customDataWrites.ts';
import type { Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { UndoWrites } from '../model/undoWrites.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';

export const isCustomDataWrite = ({ endpoint }: Pick<Write, 'endpoint'>): boolean =>
  Object.hasOwn(customDataKinds, endpoint);

/**
 * Undoes a change of custom data (rest-api.md, "Custom data API"): deletes the objects that it created, and restores
 * each object that it changed or deleted. A filter for one ID affects only that object; any other filter is treated as
 * if it matched all objects that were read before the operation.
 */
export function undoCustomData(entry: HistoryEntry, undoWrites: UndoWrites): void {
  const objects = getObjectsBefore(entry);
  const changes = new ChangedMembers(entry);
  const restoredIds = new Set<string>();
  for (const [index, write] of [...entry.operation.writes.entries()].toReversed()) {
    const state = entry.writeStates[index];
    if (!isCustomDataWrite(write)) {
      continue;
    }
    if (state?.state !== 'done') {
      if (state?.state === 'unknown' || state?.state === 'sending') {
        undoWrites.addLoss({ code: 'unknown', name: entry.operation.subject.name });
      }
    } else if (write.endpoint === 'customData.create') {
      const objectId = getText(asObject(state.answer)['_id']);
      // If a recreated object kept its ID, it is restored, not deleted.
      if (!objects.has(objectId)) {
        addDeletion(objectId, write.name, undoWrites);
      }
    } else {
      const matchedId = getWrittenObjectId(write);
      for (const objectId of matchedId === undefined ? objects.keys() : [matchedId]) {
        const object = objects.get(objectId);
        if (object !== undefined && !restoredIds.has(objectId)) {
          restoredIds.add(objectId);
          const changedMembers = changes.getMembers(objectId);
          restoreObject({ objectId, object, name: write.name, changedMembers }, undoWrites);
        }
      }
      if (write.endpoint === 'customData.deleteMatching' && matchedId === undefined && !restoredIds.has('')) {
        restoredIds.add('');
        getObjectsWithoutId(entry).forEach((object) => undoWrites.add(createObjectCreationWrite(object)));
      }
    }
  }
}

const getObjectsBefore = ({ before }: HistoryEntry): ReadonlyMap<string, JsonObject> =>
  new Map(
    before.flatMap(({ ref, document }) =>
      ref.kind === 'customDataObject' && document !== undefined
        ? [[ref.objectId, asObject(document)] as const]
        : [],
    ),
  );

/** Returns the objects without an ID, which are stored as one document. */
const getObjectsWithoutId = ({ before }: HistoryEntry): readonly JsonObject[] =>
  before.flatMap(({ ref, document }) => (ref.kind === 'customData' ? getObjects(document) : []));

/** Returns the ID of the only custom data object that a write affects; `undefined` for any other filter. */
export function getWrittenObjectId({ endpoint, target, body }: Write): string | undefined {
  if (target?.kind === 'customDataObject') {
    return target.objectId;
  }
  const filter = endpoint === 'customData.deleteMatching' ? body : asObject(body)['queryForSearch'];
  const { _id: id, ...otherConditions } = asObject(filter);
  return Object.keys(otherConditions).length === 0 && getText(id) !== '' ? getText(id) : undefined;
}

/** The names of the members that an operation wrote into each object. */
class ChangedMembers {
  readonly #membersByObject = new Map<string, Set<string>>();
  readonly #membersOfAllObjects = new Set<string>();

  constructor({ operation, writeStates }: HistoryEntry) {
    for (const [index, write] of operation.writes.entries()) {
      if (writeStates[index]?.state === 'done') {
        this.#addWrite(write);
      }
    }
  }

  getMembers(objectId: string): ReadonlySet<string> {
    return this.#membersOfAllObjects.union(this.#membersByObject.get(objectId) ?? new Set());
  }

  #addWrite(write: Write): void {
    const matchedId = getWrittenObjectId(write);
    const names =
      matchedId === undefined
        ? this.#membersOfAllObjects
        : (this.#membersByObject.get(matchedId) ?? new Set());
    Object.keys(asObject(asObject(write.body)['objectForUpdate'])).forEach((name) => names.add(name));
    if (matchedId !== undefined) {
      this.#membersByObject.set(matchedId, names);
    }
  }
}

/** Adds the name that a project gives to an object to a write of the object. */
const addName = (write: Write, name: string | undefined): Write =>
  name === undefined ? write : { ...write, name };

function addDeletion(objectId: string, name: string | undefined, undoWrites: UndoWrites): void {
  if (objectId === '') {
    undoWrites.addLoss({ code: 'not-identified', name: '' });
  } else {
    undoWrites.add(addName(createCustomDataDeletionWrite({ _id: objectId }), name));
  }
}

interface PreviousObject {
  readonly objectId: string;
  readonly object: JsonObject;
  /** The name that the project gives to it; `undefined` if it's unknown. */
  readonly name: string | undefined;
  /** The names of the members that were written; empty if the object was deleted. */
  readonly changedMembers: ReadonlySet<string>;
}

function restoreObject(
  { objectId, object, name, changedMembers }: PreviousObject,
  undoWrites: UndoWrites,
): void {
  const current = undoWrites.getDocument({ kind: 'customDataObject', objectId });
  if (jsonEquals(current, object)) {
    return;
  }
  const memberNames =
    changedMembers.size === 0 ? Object.keys(object).filter((name) => name !== '_id') : [...changedMembers];
  const canMerge =
    current !== undefined &&
    [...memberNames, ...(changedMembers.size === 0 ? Object.keys(asObject(current)) : [])].every((name) =>
      Object.hasOwn(object, name),
    );
  if (canMerge) {
    const members = Object.fromEntries(memberNames.map((member) => [member, object[member] ?? null]));
    undoWrites.add(addName(createCustomDataUpdateWrite({ _id: objectId }, members), name));
    return;
  }
  // A merge can't remove members, so an object with an added member is deleted and created again.
  if (current !== undefined) {
    undoWrites.add(addName(createCustomDataDeletionWrite({ _id: objectId }), name));
  }
  const index = undoWrites.add(addName(createObjectCreationWrite(object), name));
  undoWrites.addRestoredId(objectId, { write: index, from: ['_id'] });
}
