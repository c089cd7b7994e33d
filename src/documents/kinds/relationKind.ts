import { relationUpdate } from '../../changes/model/relationWrites.ts';
import { relationPayload } from '../../client/payloads/modelPayloads.ts';
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { type DocumentKind, answeredOr, changedMembers, objectOf, onlyEdited } from './documentKind.ts';

type RelationRef = Extract<DocumentRef, { kind: 'relation' }>;

const isEditable = (name: string): boolean => name === 'columns';

/** A relation; a write carries all its columns (spec, rule 3). */
export const relationKind: DocumentKind<RelationRef> = {
  language: 'json',
  isEditable,
  sourceKey: refKey,
  ask: (client, ref, signal) => client.relations.get(ref, signal),
  show: (source) => (isJsonObject(source) ? source : undefined),
  writes(ref, { source, before, next }) {
    const relation = objectOf(next);
    onlyEdited(before, relation, isEditable);
    const change = changedMembers(source, relation, isEditable);
    return Object.keys(change).length === 0 ? [] : [relationUpdate(ref, relationPayload(change))];
  },
  after: ({ relationId }, { source, writes, answers }) =>
    answeredOr(source, answers[0], { name: 'oid', value: relationId }, (writes[0]?.body ?? {}) as JsonObject),
};
