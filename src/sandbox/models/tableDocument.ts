import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import { tableProperties, type TableType } from '../../contract/table.ts';
import { omitDocumentMembers, getTextMember } from '../documents.ts';
import { createInvalidProblem } from '../problem.ts';
import { getTableColumns, type OidFactory, createColumnDocuments, replaceColumns } from './columnDocument.ts';

/**
 * Properties that the server sets; ignored in requests (rest-api.md, "Datamodel API" 1; platform-facts.md, 2.2).
 */
const readOnlyProperties = [
  'oid',
  'createdAt',
  'lastUpdated',
  'vTag',
  'aiGeneratedDescription',
  'isMaterialized',
];

/** Table properties of platform-facts.md, 2.2 that the guide does not list. */
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

/** The generated values of a table write. `timestamp` is an ISO 8601 time. */
export interface TableWriteContext {
  readonly newOid: OidFactory;
  readonly now: string;
}

/** Returns the type of a table; `base` is the default (rest-api.md, "Table"). */
export const getTableType = (table: JsonObject): TableType =>
  getTextMember(table, 'type').toLowerCase() === 'custom' ? 'custom' : 'base';

/**
 * Creates an expression in the form that GET returns: `{oid, expression}` (platform-facts.md, 2.2). A changed
 * expression keeps its oid.
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

/** The default build behavior of tables of extract datamodels (rest-api.md, "Table"; platform-facts.md, 2.4). */
const replaceAllBehavior: JsonObject = { type: 'sync', accumulativeConfig: null };

/** Creates a table document in the shape of platform-facts.md, 2.2; `name` defaults to `id` (rest-api.md, "Table"). */
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
 * replaces the stored array, and any other sent property replaces the stored one.
 * @throws HttpProblem 400 for an unknown property (rest-api.md, "Errors" 1), for a PATCH without any Table property,
 * and for unknown column oids.
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

/** Creates the members that change with each edit: the version tag and the time (platform-facts.md, 2.2). */
export const createVersionStamp = ({ newOid, now }: TableWriteContext): JsonObject => ({
  vTag: newOid(),
  lastUpdated: now,
});
