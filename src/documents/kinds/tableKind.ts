import { createTableUpdateWrite } from '../../changes/model/tableWrites.ts';
import { createTableChangePayload } from '../../client/payloads/modelPayloads.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { tableProperties } from '../../contract/table.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { fillSecrets } from '../secrets.ts';
import {
  type DocumentKindDescriptor,
  type CompletedWrites,
  mergeResponse,
  getChangedMembers,
  requireObjectValue,
  checkOnlyEditable,
} from './documentKind.ts';

type TableScopedRef = Extract<DocumentRef, { kind: 'table' | 'tableExpression' | 'columnExpression' }>;
type TableRef = Extract<DocumentRef, { kind: 'table' }>;

/** A table and its expressions share a response. */
export const getTableSourceKey = ({ datamodelId, datasetId, tableId }: TableScopedRef): string =>
  getRefKey({ kind: 'table', datamodelId, datasetId, tableId });

/** Creates a PATCH of a table: only the changed members, but all columns (rest-api.md, "Datamodel API" 1 and 2). */
export const createTableWrite = (ref: TableScopedRef, change: JsonObject): Write =>
  createTableUpdateWrite(ref, createTableChangePayload(change));

export const applyTableWrites = (
  { tableId }: TableScopedRef,
  { source, writes, responses }: CompletedWrites,
) =>
  mergeResponse(source, responses[0], { name: 'oid', value: tableId }, (writes[0]?.body ?? {}) as JsonObject);

/** Masks secrets, which the options of a connector may contain. */
const getVisiblePart = (source: JsonValue): JsonValue | undefined =>
  isJsonObject(source) ? maskConnectorDocument(source) : undefined;

const isTableProperty = (name: string): boolean => tableProperties.some((known) => known === name);

/** A table with its columns (rest-api.md, "Table"). */
export const tableKind: DocumentKindDescriptor<TableRef> = {
  language: 'json',
  isEditable: isTableProperty,
  getSourceKey: getTableSourceKey,
  fetch: (client, ref, signal) => client.tables.get(ref, signal),
  getVisiblePart,
  createWrites(ref, edit) {
    const table = requireObjectValue(edit.next);
    checkOnlyEditable(edit.before, table, isTableProperty);
    const change = getChangedMembers(getVisiblePart(edit.source) ?? null, table, isTableProperty);
    return Object.keys(change).length === 0
      ? []
      : [createTableWrite(ref, requireObjectValue(fillSecrets(change, edit)))];
  },
  applyWrites: applyTableWrites,
};
