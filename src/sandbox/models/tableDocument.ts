import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import { tableProperties, type TableType } from '../../contract/table.ts';
import { omit, textIn } from '../documents.ts';
import { invalid } from '../problem.ts';
import { columnsOf, type NewOid, newColumns, replacedColumns } from './columnDocument.ts';

/** What the server makes of a table; a PATCH ignores them (spec, Datamodel rule 1; platform-facts 2.2). */
const readOnlyProperties = [
  'oid',
  'createdAt',
  'lastUpdated',
  'vTag',
  'aiGeneratedDescription',
  'isMaterialized',
];

/** Table properties of platform-facts 2.2 that the spec's list leaves out. */
const furtherProperties = ['displayName', 'tags', 'schemaName', 'tupleTransformations'];

const defaults: JsonObject = {
  displayName: null,
  expression: null,
  configOptions: null,
  hidden: false,
  description: null,
  tags: null,
  aiGeneratedDescription: null,
  isMaterialized: false,
  schemaName: null,
};

/** What a write of a table needs besides the request. `now` is an ISO 8601 time. */
export interface TableMaking {
  readonly newOid: NewOid;
  readonly now: string;
}

/** `base` is the default (spec, "Table"). */
export const tableType = (table: JsonObject): TableType =>
  textIn(table, 'type').toLowerCase() === 'custom' ? 'custom' : 'base';

/** The SQL as GET answers it: `{oid, expression}` (platform-facts 2.2); it keeps its oid when it changes. */
function storedExpression(
  sent: JsonValue | undefined,
  before: JsonValue | undefined,
  newOid: NewOid,
): JsonValue {
  if (sent === undefined || sent === null) {
    return null;
  }
  const oid = isJsonObject(before) && typeof before['oid'] === 'string' ? before['oid'] : newOid();
  return typeof sent === 'string' ? { oid, expression: sent } : { ...(isJsonObject(sent) ? sent : {}), oid };
}

/** How a table is built unless it says otherwise; for extract tables only (spec, "Table"; platform-facts 2.4). */
const replaceAll: JsonObject = { type: 'sync', accumulativeConfig: null };

/** A new table in the shape of platform-facts 2.2; `name` defaults to `id` (spec, "Table"). */
export function newTable(
  sent: JsonObject,
  modelType: DatamodelType,
  { newOid, now }: TableMaking,
): JsonObject {
  const oid = newOid();
  const name = sent['name'] ?? sent['id'] ?? null;
  return {
    ...defaults,
    buildBehavior: modelType === 'extract' ? replaceAll : null,
    ...omit(sent, readOnlyProperties),
    oid,
    id: sent['id'] ?? name,
    name,
    type: tableType(sent),
    columns: newColumns(columnsOf(sent), newOid, now),
    expression: storedExpression(sent['expression'], undefined, newOid),
    createdAt: now,
    ...written({ newOid, now }),
  };
}

/**
 * The table after a PATCH (spec, Datamodel rules 1 and 2): read-only properties are ignored, `columns` replaces the
 * stored array, everything else that is sent replaces what was there.
 * @throws HttpProblem 400 for a property that does not belong to a Table (spec, "Errors" 1), when no Table property
 * is sent (rule 1), and for unknown column oids.
 */
export function changedTable(stored: JsonObject, sent: JsonObject, { newOid, now }: TableMaking): JsonObject {
  const change = omit(sent, readOnlyProperties);
  const allowed = new Set([...tableProperties, ...furtherProperties, ...Object.keys(stored)]);
  const stranger = Object.keys(change).find((name) => !allowed.has(name));
  if (stranger !== undefined) {
    throw invalid(`${stranger}: the property does not belong to a Table`);
  }
  if (Object.keys(change).length === 0) {
    throw invalid('At least one Table property must be present');
  }
  const columns =
    'columns' in change
      ? { columns: replacedColumns(columnsOf(stored), columnsOf(change), newOid, now) }
      : {};
  const expression =
    'expression' in change
      ? { expression: storedExpression(change['expression'], stored['expression'], newOid) }
      : {};
  return { ...stored, ...change, ...columns, ...expression, ...written({ newOid, now }) };
}

/** The version tag changes with each edit (platform-facts 2.2). */
export const written = ({ newOid, now }: TableMaking): JsonObject => ({ vTag: newOid(), lastUpdated: now });
