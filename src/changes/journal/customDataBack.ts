import { sameJson } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { customDataKinds } from '../endpoints/customData.ts';
import type { Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { asObject, itemsOf, textOf } from '../model/read.ts';

export const isCustomDataWrite = ({ endpoint }: Pick<Write, 'endpoint'>): boolean =>
  Object.hasOwn(customDataKinds, endpoint);

/**
 * Takes a change of custom data back (spec, "Custom data API"): what it made goes, and each object that it changed or
 * deleted comes back once. A write whose filter names one object by its id is about that one; of any other it is not
 * known here which objects it matched, so it may be about all.
 */
export function customDataBack(entry: HistoryEntry, inverse: InverseWrites): void {
  const objects = objectsBefore(entry);
  const changes = new Changes(entry);
  const handled = new Set<string>();
  for (const [index, write] of [...entry.operation.writes.entries()].toReversed()) {
    const state = entry.writes[index];
    if (!isCustomDataWrite(write)) {
      continue;
    }
    if (state?.state !== 'done') {
      if (state?.state === 'unknown' || state?.state === 'sending') {
        inverse.lose({ code: 'unknown', name: entry.operation.subject.name });
      }
    } else if (write.endpoint === 'customData.create') {
      const objectId = textOf(asObject(state.answer)['_id']);
      // A server may let what is made anew keep its id: then the object is changed back, not deleted.
      if (!objects.has(objectId)) {
        madeBack(objectId, inverse);
      }
    } else {
      const own = objectIn(write);
      for (const objectId of own === undefined ? objects.keys() : [own]) {
        const object = objects.get(objectId);
        if (object !== undefined && !handled.has(objectId)) {
          handled.add(objectId);
          objectBack({ objectId, object, sent: changes.of(objectId) }, inverse);
        }
      }
      if (write.endpoint === 'customData.deleteMatching' && own === undefined && !handled.has('')) {
        handled.add('');
        namelessBefore(entry).forEach((one) => inverse.add(createObject(one)));
      }
    }
  }
}

const objectsBefore = ({ before }: HistoryEntry): ReadonlyMap<string, JsonObject> =>
  new Map(
    before.flatMap(({ ref, document }) =>
      ref.kind === 'customDataObject' && document !== undefined
        ? [[ref.objectId, asObject(document)] as const]
        : [],
    ),
  );

/** Objects without an id are kept together. */
const namelessBefore = ({ before }: HistoryEntry): readonly JsonObject[] =>
  before.flatMap(({ ref, document }) => (ref.kind === 'customData' ? itemsOf(document) : []));

/** The object that a write is about by its id, and by nothing else. */
function objectIn({ endpoint, target, body }: Write): string | undefined {
  if (target?.kind === 'customDataObject') {
    return target.objectId;
  }
  const filter = endpoint === 'customData.deleteMatching' ? body : asObject(body)['queryForSearch'];
  const { _id: id, ...others } = asObject(filter);
  return Object.keys(others).length === 0 && textOf(id) !== '' ? textOf(id) : undefined;
}

/** The members that an operation wrote into each object. */
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

  of(objectId: string): ReadonlySet<string> {
    return this.#ofAll.union(this.#own.get(objectId) ?? new Set());
  }

  #note(write: Write): void {
    const own = objectIn(write);
    const names = own === undefined ? this.#ofAll : (this.#own.get(own) ?? new Set());
    Object.keys(asObject(asObject(write.body)['objectForUpdate'])).forEach((name) => names.add(name));
    if (own !== undefined) {
      this.#own.set(own, names);
    }
  }
}

function madeBack(objectId: string, inverse: InverseWrites): void {
  if (objectId === '') {
    inverse.lose({ code: 'not-identified', name: '' });
  } else {
    inverse.add(deleteObject(objectId));
  }
}

interface Former {
  readonly objectId: string;
  readonly object: JsonObject;
  /** The members that were written; none where it was deleted. */
  readonly sent: ReadonlySet<string>;
}

function objectBack({ objectId, object, sent }: Former, inverse: InverseWrites): void {
  const now = inverse.present({ kind: 'customDataObject', objectId });
  if (sameJson(now, object)) {
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
  // A merge takes no member away, so an object that got a new one is made anew.
  if (now !== undefined) {
    inverse.add(deleteObject(objectId));
  }
  const index = inverse.add(createObject(object));
  inverse.move(objectId, { write: index, from: ['_id'] });
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
