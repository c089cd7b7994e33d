import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { customDataKinds } from '../endpoints/customData.ts';
import type { Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';

export const isCustomDataWrite = ({ endpoint }: Pick<Write, 'endpoint'>): boolean =>
  Object.hasOwn(customDataKinds, endpoint);

/**
 * Undoes a change of custom data (rest-api.md, "Custom data API"): deletes the objects that it created, and restores
 * each object that it changed or deleted. A filter for one ID affects only that object; any other filter is treated as
 * if it matched all objects that were read before the operation.
 */
export function undoCustomData(entry: HistoryEntry, inverse: InverseWrites): void {
  const objects = getObjectsBefore(entry);
  const changes = new Changes(entry);
  const handled = new Set<string>();
  for (const [index, write] of [...entry.operation.writes.entries()].toReversed()) {
    const state = entry.writes[index];
    if (!isCustomDataWrite(write)) {
      continue;
    }
    if (state?.state !== 'done') {
      if (state?.state === 'unknown' || state?.state === 'sending') {
        inverse.addLoss({ code: 'unknown', name: entry.operation.subject.name });
      }
    } else if (write.endpoint === 'customData.create') {
      const objectId = getText(asObject(state.answer)['_id']);
      // If a recreated object kept its ID, it is restored, not deleted.
      if (!objects.has(objectId)) {
        undoCreation(objectId, inverse);
      }
    } else {
      const own = getObjectId(write);
      for (const objectId of own === undefined ? objects.keys() : [own]) {
        const object = objects.get(objectId);
        if (object !== undefined && !handled.has(objectId)) {
          handled.add(objectId);
          restoreObject({ objectId, object, sent: changes.getMembers(objectId) }, inverse);
        }
      }
      if (write.endpoint === 'customData.deleteMatching' && own === undefined && !handled.has('')) {
        handled.add('');
        getObjectsWithoutId(entry).forEach((one) => inverse.add(createObject(one)));
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

/** Returns the ID of the only object that a write affects; `undefined` for any other filter. */
function getObjectId({ endpoint, target, body }: Write): string | undefined {
  if (target?.kind === 'customDataObject') {
    return target.objectId;
  }
  const filter = endpoint === 'customData.deleteMatching' ? body : asObject(body)['queryForSearch'];
  const { _id: id, ...others } = asObject(filter);
  return Object.keys(others).length === 0 && getText(id) !== '' ? getText(id) : undefined;
}

/** The names of the members that an operation wrote into each object. */
class Changes {
  readonly #own = new Map<string, Set<string>>();
  readonly #ofAll = new Set<string>();

  constructor({ operation, writes }: HistoryEntry) {
    for (const [index, write] of operation.writes.entries()) {
      if (writes[index]?.state === 'done') {
        this.#note(write);
      }
    }
  }

  getMembers(objectId: string): ReadonlySet<string> {
    return this.#ofAll.union(this.#own.get(objectId) ?? new Set());
  }

  #note(write: Write): void {
    const own = getObjectId(write);
    const names = own === undefined ? this.#ofAll : (this.#own.get(own) ?? new Set());
    Object.keys(asObject(asObject(write.body)['objectForUpdate'])).forEach((name) => names.add(name));
    if (own !== undefined) {
      this.#own.set(own, names);
    }
  }
}

function undoCreation(objectId: string, inverse: InverseWrites): void {
  if (objectId === '') {
    inverse.addLoss({ code: 'not-identified', name: '' });
  } else {
    inverse.add(deleteObject(objectId));
  }
}

interface PreviousObject {
  readonly objectId: string;
  readonly object: JsonObject;
  /** The names of the members that were written; empty if the object was deleted. */
  readonly sent: ReadonlySet<string>;
}

function restoreObject({ objectId, object, sent }: PreviousObject, inverse: InverseWrites): void {
  const now = inverse.getDocument({ kind: 'customDataObject', objectId });
  if (jsonEquals(now, object)) {
    return;
  }
  const names = sent.size === 0 ? Object.keys(object).filter((name) => name !== '_id') : [...sent];
  const isMerged =
    now !== undefined &&
    [...names, ...(sent.size === 0 ? Object.keys(asObject(now)) : [])].every((name) =>
      Object.hasOwn(object, name),
    );
  if (isMerged) {
    inverse.add(mergeObject(objectId, object, names));
    return;
  }
  // A merge can't remove members, so an object with an added member is deleted and created again.
  if (now !== undefined) {
    inverse.add(deleteObject(objectId));
  }
  const index = inverse.add(createObject(object));
  inverse.addMovedId(objectId, { write: index, from: ['_id'] });
}

const target: ResourceRef = { kind: 'customData' };

const deleteObject = (_id: string): Write => ({
  endpoint: 'customData.deleteMatching',
  params: {},
  body: { _id },
  target,
});

const createObject = (object: JsonObject): Write => ({
  endpoint: 'customData.create',
  params: {},
  body: object,
  target,
});

const mergeObject = (objectId: string, object: JsonObject, names: readonly string[]): Write => ({
  endpoint: 'customData.updateMatching',
  params: {},
  body: {
    queryForSearch: { _id: objectId },
    objectForUpdate: Object.fromEntries(names.map((name) => [name, object[name] ?? null])),
  },
  target,
});
