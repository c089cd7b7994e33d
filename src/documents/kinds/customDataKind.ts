import { objectUpdate } from '../../changes/model/customDataWrites.ts';
import { type JsonValue, isJsonObject, memberOf } from '../../base/json.ts';
import { nothing } from '../../base/canonicalJson.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusal } from '../refusals.ts';
import { type DocumentKind, changedMembers, itemsOf, objectOf, onlyEdited } from './documentKind.ts';

type CustomDataRef = Extract<DocumentRef, { kind: 'customDataObject' }>;

const isEditable = (name: string): boolean => name !== '_id';

/**
 * One custom data object. Objects have no address of their own: they are found in the list of all, and changed by a
 * filter on their `_id`. A change is merged at the root, so that no member can be taken away (design.md, section 5).
 */
export const customDataKind: DocumentKind<CustomDataRef> = {
  language: 'json',
  isEditable,
  // Any JSON: no field of it is known to be the server's.
  isServers: nothing,
  sourceKey: () => 'customData',
  ask: (client, _ref, signal) => client.customData.list(signal),
  show: (source, { objectId }) => objectIn(source, objectId),
  writes(ref, { source, before, next }) {
    const object = objectOf(next);
    onlyEdited(before, object, isEditable, [], nothing);
    const stored = objectIn(source, ref.objectId);
    if (stored === undefined) {
      throw new DocumentRefusal('gone');
    }
    const objectForUpdate = changedMembers(stored, object, isEditable);
    return Object.keys(objectForUpdate).length === 0 ? [] : [objectUpdate(ref.objectId, objectForUpdate)];
  },
  after({ objectId }, { source, writes, answers }) {
    const [answer] = answers;
    const change = memberOf(writes[0]?.body, 'objectForUpdate');
    return itemsOf(source).map((item) => {
      if (memberOf(item, '_id') !== objectId) {
        return item;
      }
      // The object as it was read after the write; else what the merge at the root makes of it.
      return memberOf(answer, '_id') === objectId && answer !== undefined
        ? answer
        : { ...(isJsonObject(item) ? item : {}), ...(isJsonObject(change) ? change : {}) };
    });
  },
};

const objectIn = (list: JsonValue, objectId: string): JsonValue | undefined =>
  itemsOf(list).find((item) => memberOf(item, '_id') === objectId);
