import { createRelationUpdateWrite } from '../../changes/model/relationWrites.ts';
import { createRelationPayload } from '../../client/payloads/modelPayloads.ts';
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

type RelationRef = Extract<DocumentRef, { kind: 'relation' }>;

const isEditable = (name: string): boolean => name === 'columns';

/** A relation. A write contains all its columns (rest-api.md, "Datamodel API" 3). */
export const relationKind: DocumentKindDescriptor<RelationRef> = {
  language: 'json',
  isEditable,
  getSourceKey: getRefKey,
  fetch: (client, ref, signal) => client.relations.get(ref, signal),
  getVisiblePart: (source) => (isJsonObject(source) ? source : undefined),
  createWrites(ref, { source, before, next }) {
    const relation = requireObjectValue(next);
    checkOnlyEditable(before, relation, isEditable);
    const change = getChangedMembers(source, relation, isEditable);
    return Object.keys(change).length === 0
      ? []
      : [createRelationUpdateWrite(ref, createRelationPayload(change))];
  },
  applyWrites: ({ relationId }, { source, writes, responses }) =>
    mergeResponse(
      source,
      responses[0],
      { name: 'oid', value: relationId },
      (writes[0]?.body ?? {}) as JsonObject,
    ),
};
