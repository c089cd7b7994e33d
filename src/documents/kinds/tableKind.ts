import { tableUpdate } from '../../changes/model/tableWrites.ts';
import { tableChangePayload } from '../../client/payloads/modelPayloads.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { tableProperties } from '../../contract/table.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { fillSecrets } from '../secrets.ts';
import {
  type DocumentKindDescriptor,
  type CompletedWrites,
  mergeAnswer,
  getChangedMembers,
  requireObjectValue,
  checkOnlyEditable,
} from './documentKind.ts';

type TableNames = Extract<DocumentRef, { kind: 'table' | 'tableExpression' | 'columnExpression' }>;
type TableRef = Extract<DocumentRef, { kind: 'table' }>;

/** A table and its expressions share a response. */
export const getTableSourceKey = ({ datamodelId, datasetId, tableId }: TableNames): string =>
  getRefKey({ kind: 'table', datamodelId, datasetId, tableId });

/** Creates a PATCH of a table: only the changed members, but all columns (rest-api.md, "Datamodel API" 1 and 2). */
export const createTableWrite = (names: TableNames, change: JsonObject): Write =>
  tableUpdate(names, tableChangePayload(change));

export const applyTableWrites = ({ tableId }: TableNames, { source, writes, answers }: CompletedWrites) =>
  mergeAnswer(source, answers[0], { name: 'oid', value: tableId }, (writes[0]?.body ?? {}) as JsonObject);

/** Masks secrets, which the options of a connector may contain. */
const show = (source: JsonValue): JsonValue | undefined =>
  isJsonObject(source) ? maskSecrets(source) : undefined;

const isTableProperty = (name: string): boolean => tableProperties.some((known) => known === name);

/** A table with its columns (rest-api.md, "Table"). */
export const tableKind: DocumentKindDescriptor<TableRef> = {
  language: 'json',
  isEditable: isTableProperty,
  sourceKey: getTableSourceKey,
  fetch: (client, ref, signal) => client.tables.get(ref, signal),
  show,
  writes(ref, edit) {
    const table = requireObjectValue(edit.next);
    checkOnlyEditable(edit.before, table, isTableProperty);
    const change = getChangedMembers(show(edit.source) ?? null, table, isTableProperty);
    return Object.keys(change).length === 0
      ? []
      : [createTableWrite(ref, requireObjectValue(fillSecrets(change, edit)))];
  },
  after: applyTableWrites,
};
