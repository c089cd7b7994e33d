import { createObjectUpdateWrite } from '../../changes/model/customDataWrites.ts';
import { type JsonValue, isJsonObject, getMember } from '../../base/json.ts';
import { omitNothing } from '../../base/canonicalJson.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusedError } from '../refusals.ts';
import {
  type DocumentKindDescriptor,
  getChangedMembers,
  getListItems,
  requireObjectValue,
  checkOnlyEditable,
} from './documentKind.ts';

type CustomDataRef = Extract<DocumentRef, { kind: 'customDataObject' }>;

const isEditable = (name: string): boolean => name !== '_id';

/**
 * One custom data object. The API has no request for a single object: it is read from the list of all objects, and
 * updated by a filter on its `_id`. An update is merged at the root, so no member can be removed
 * (decisions.md, "Sandbox").
 */
export const customDataKind: DocumentKindDescriptor<CustomDataRef> = {
  language: 'json',
  isEditable,
  // Any JSON: none of its fields is known to be managed by the server.
  isServerManaged: omitNothing,
  getSourceKey: () => 'customData',
  fetch: (client, _ref, signal) => client.customData.list(signal),
  getVisiblePart: (source, { objectId }) => findObject(source, objectId),
  createWrites(ref, { source, before, next }) {
    const object = requireObjectValue(next);
    checkOnlyEditable(before, object, isEditable, [], omitNothing);
    const storedObject = findObject(source, ref.objectId);
    if (storedObject === undefined) {
      throw new DocumentRefusedError('gone');
    }
    const objectForUpdate = getChangedMembers(storedObject, object, isEditable);
    return Object.keys(objectForUpdate).length === 0
      ? []
      : [createObjectUpdateWrite(ref.objectId, objectForUpdate)];
  },
  applyWrites({ objectId }, { source, writes, responses }) {
    const [response] = responses;
    const changedMembers = getMember(writes[0]?.body, 'objectForUpdate');
    return getListItems(source).map((item) => {
      if (getMember(item, '_id') !== objectId) {
        return item;
      }
      // Prefer the object as it was read after the write; otherwise apply the merge at the root.
      return getMember(response, '_id') === objectId && response !== undefined
        ? response
        : { ...(isJsonObject(item) ? item : {}), ...(isJsonObject(changedMembers) ? changedMembers : {}) };
    });
  },
};

const findObject = (list: JsonValue, objectId: string): JsonValue | undefined =>
  getListItems(list).find((item) => getMember(item, '_id') === objectId);
