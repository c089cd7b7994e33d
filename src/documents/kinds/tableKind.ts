import { tableUpdate } from '../../changes/model/tableWrites.ts';
import { tableChangePayload } from '../../client/payloads/modelPayloads.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import { tableProperties } from '../../contract/table.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { withSecrets } from '../secrets.ts';
import {
  type DocumentKind,
  type Done,
  answeredOr,
  changedMembers,
  objectOf,
  onlyEdited,
} from './documentKind.ts';

type TableNames = Extract<DocumentRef, { kind: 'table' | 'tableExpression' | 'columnExpression' }>;
type TableRef = Extract<DocumentRef, { kind: 'table' }>;

/** A table and its expressions are answered together. */
export const tableSource = ({ datamodelId, datasetId, tableId }: TableNames): string =>
  refKey({ kind: 'table', datamodelId, datasetId, tableId });

/** PATCH of a table: what changed and nothing else; columns whole (spec, rules 1 and 2). */
export const tableWrite = (names: TableNames, change: JsonObject): Write =>
  tableUpdate(names, tableChangePayload(change));

export const tableAfter = ({ tableId }: TableNames, { source, writes, answers }: Done) =>
  answeredOr(source, answers[0], { name: 'oid', value: tableId }, (writes[0]?.body ?? {}) as JsonObject);

/** The options of a connector may hold secrets, as its connection does. */
const show = (source: JsonValue): JsonValue | undefined =>
  isJsonObject(source) ? maskSecrets(source) : undefined;

const isTableProperty = (name: string): boolean => tableProperties.some((known) => known === name);

/** A table with its columns (spec, "Table"). */
export const tableKind: DocumentKind<TableRef> = {
  language: 'json',
  isEditable: isTableProperty,
  sourceKey: tableSource,
  ask: (client, ref, signal) => client.tables.get(ref, signal),
  show,
  writes(ref, edit) {
    const table = objectOf(edit.next);
    onlyEdited(edit.before, table, isTableProperty);
    const change = changedMembers(show(edit.source) ?? null, table, isTableProperty);
    return Object.keys(change).length === 0 ? [] : [tableWrite(ref, objectOf(withSecrets(change, edit)))];
  },
  after: tableAfter,
};
