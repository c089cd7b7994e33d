import { viewpointUpdate } from '../../changes/model/viewpointWrites.ts';
import { viewpointChangePayload } from '../../client/payloads/viewpointPayload.ts';
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { type DocumentKind, answeredOr, changedMembers, objectOf, onlyEdited } from './documentKind.ts';

type ViewpointRef = Extract<DocumentRef, { kind: 'viewpoint' }>;

/** Made by the server (spec, "Viewpoint"). */
const serverMade = ['id', 'tenantId', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt'];
const isEditable = (name: string): boolean => !serverMade.includes(name);

/** A viewpoint; a write carries the fields to change, complex ones whole (spec). */
export const viewpointKind: DocumentKind<ViewpointRef> = {
  language: 'jsonc',
  isEditable,
  sourceKey: refKey,
  ask: (client, ref, signal) => client.viewpoints.get(ref, signal),
  show: (source) => (isJsonObject(source) ? source : undefined),
  writes(ref, { source, before, next }) {
    const viewpoint = objectOf(next);
    onlyEdited(before, viewpoint, isEditable);
    const change = changedMembers(source, viewpoint, isEditable);
    return Object.keys(change).length === 0 ? [] : [viewpointUpdate(ref, viewpointChangePayload(change))];
  },
  after: ({ viewpointId }, { source, writes, answers }) =>
    answeredOr(source, answers[0], { name: 'id', value: viewpointId }, (writes[0]?.body ?? {}) as JsonObject),
};
