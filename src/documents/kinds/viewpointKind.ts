import { createViewpointUpdateWrite } from '../../changes/model/viewpointWrites.ts';
import { serverManagedViewpointFields } from '../../contract/viewpoint.ts';
import { createViewpointChangePayload } from '../../client/payloads/viewpointPayload.ts';
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import type { DocumentRef } from '../documentAddress.ts';
import {
  type DocumentKindDescriptor,
  mergeResponse,
  getChangedMembers,
  requireObjectValue,
  checkOnlyEditable,
} from './documentKind.ts';

type ViewpointRef = Extract<DocumentRef, { kind: 'viewpoint' }>;

const isEditable = (name: string): boolean => !serverManagedViewpointFields.has(name);

/**
 * A viewpoint. A write contains the changed fields, complex ones in full (rest-api.md, "PUT /infusion/viewpoints").
 */
export const viewpointKind: DocumentKindDescriptor<ViewpointRef> = {
  language: 'jsonc',
  isEditable,
  getSourceKey: getRefKey,
  fetch: (client, ref, signal) => client.viewpoints.get(ref, signal),
  getVisiblePart: (source) => (isJsonObject(source) ? source : undefined),
  createWrites(ref, { source, before, next }) {
    const viewpoint = requireObjectValue(next);
    checkOnlyEditable(before, viewpoint, isEditable);
    const change = getChangedMembers(source, viewpoint, isEditable);
    return Object.keys(change).length === 0
      ? []
      : [createViewpointUpdateWrite(ref, createViewpointChangePayload(change))];
  },
  applyWrites: ({ viewpointId }, { source, writes, responses }) =>
    mergeResponse(
      source,
      responses[0],
      { name: 'id', value: viewpointId },
      (writes[0]?.body ?? {}) as JsonObject,
    ),
};
