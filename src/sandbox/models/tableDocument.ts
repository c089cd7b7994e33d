import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import { tableProperties, type TableType } from '../../contract/table.ts';
import { omitDocumentMembers, getTextMember } from '../documents.ts';
import { createInvalidProblem } from '../problem.ts';
import { getTableColumns, type OidFactory, createColumnDocuments, replaceColumns } from './columnDocument.ts';

/**
 * The properties that the server sets; a PATCH ignores them (rest-api.md, "Datamodel API" 1; platform-facts.md, 2.2).
 */
const readOnlyProperties = [
  'oid',
  'createdAt',
  'lastUpdated',
  'vTag',
  'aiGeneratedDescription',
  'isMaterialized',
];

/** Table properties of platform-facts.md, 2.2 that the guide's list leaves out. */
const furtherProperties = ['displayName', 'tags', 'schemaName', 'tupleTransformations'];

const defaultTable: JsonObject = {
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

/** The context of a table write. `now` is an ISO 8601 time. */
export interface TableWriteContext {
  readonly newOid: OidFactory;
  readonly now: string;
}

/** `base` is the default (rest-api.md, "Table"). */
export const getTableType = (table: JsonObject): TableType =>
  getTextMember(table, 'type').toLowerCase() === 'custom' ? 'custom' : 'base';

/**
 * Creates the SQL in the form that GET returns: `{oid, expression}` (platform-facts.md, 2.2); it keeps its oid when it
 * changes.
 */
function createStoredExpression(
  sent: JsonValue | undefined,
  before: JsonValue | undefined,
  newOid: OidFactory,
): JsonValue {
  if (sent === undefined || sent === null) {
    return null;
  }
  const oid = isJsonObject(before) && typeof before['oid'] === 'string' ? before['oid'] : newOid();
  return typeof sent === 'string' ? { oid, expression: sent } : { ...(isJsonObject(sent) ? sent : {}), oid };
}

/** The default build behavior of a table; for extract tables only (rest-api.md, "Table"; platform-facts.md, 2.4). */
const replaceAllBehavior: JsonObject = { type: 'sync', accumulativeConfig: null };

/** Creates a table in the shape of platform-facts.md, 2.2; `name` defaults to `id` (rest-api.md, "Table"). */
export function createTableDocument(
  sent: JsonObject,
  modelType: DatamodelType,
  { newOid, now }: TableWriteContext,
): JsonObject {
  const oid = newOid();
  const name = sent['name'] ?? sent['id'] ?? null;
  return {
    ...defaultTable,
    buildBehavior: modelType === 'extract' ? replaceAllBehavior : null,
    ...omitDocumentMembers(sent, readOnlyProperties),
    oid,
    id: sent['id'] ?? name,
    name,
    type: getTableType(sent),
    columns: createColumnDocuments(getTableColumns(sent), newOid, now),
    expression: createStoredExpression(sent['expression'], undefined, newOid),
    createdAt: now,
    ...createVersionStamp({ newOid, now }),
  };
}

/**
 * Returns the table after a PATCH (rest-api.md, "Datamodel API" 1 and 2): read-only properties are ignored, `columns`
 * replaces the stored array, every other property that is sent replaces the stored one.
 * @throws HttpProblem 400 for a property that does not belong to a Table (rest-api.md, "Errors" 1), when no Table
 * property is sent (rule 1), and for unknown column oids.
 */
export function applyTablePatch(
  stored: JsonObject,
  sent: JsonObject,
  { newOid, now }: TableWriteContext,
): JsonObject {
  const change = omitDocumentMembers(sent, readOnlyProperties);
  const allowed = new Set([...tableProperties, ...furtherProperties, ...Object.keys(stored)]);
  const stranger = Object.keys(change).find((name) => !allowed.has(name));
  if (stranger !== undefined) {
    throw createInvalidProblem(`${stranger}: the property does not belong to a Table`);
  }
  if (Object.keys(change).length === 0) {
    throw createInvalidProblem('At least one Table property must be present');
  }
  const columns =
    'columns' in change
      ? { columns: replaceColumns(getTableColumns(stored), getTableColumns(change), newOid, now) }
      : {};
  const expression =
    'expression' in change
      ? { expression: createStoredExpression(change['expression'], stored['expression'], newOid) }
      : {};
  return { ...stored, ...change, ...columns, ...expression, ...createVersionStamp({ newOid, now }) };
}

/** The version tag changes with each edit (platform-facts.md, 2.2). */
export const createVersionStamp = ({ newOid, now }: TableWriteContext): JsonObject => ({
  vTag: newOid(),
  lastUpdated: now,
});
