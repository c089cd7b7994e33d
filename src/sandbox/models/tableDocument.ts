import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import { tableProperties, type TableType } from '../../contract/table.ts';
import { omitDocumentMembers, getTextMember } from '../documents.ts';
import { createValidationProblem } from '../problem.ts';
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
const additionalProperties = ['displayName', 'tags', 'schemaName', 'tupleTransformations'];

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
  readonly createOid: OidFactory;
  readonly timestamp: string;
}

/** Returns the type of a table; `base` is the default (rest-api.md, "Table"). */
export const getTableType = (table: JsonObject): TableType =>
  getTextMember(table, 'type').toLowerCase() === 'custom' ? 'custom' : 'base';

/**
 * Creates an expression in the form that GET returns: `{oid, expression}` (platform-facts.md, 2.2). A changed
 * expression keeps its oid.
 */
function createStoredExpression(
  input: JsonValue | undefined,
  storedExpression: JsonValue | undefined,
  createOid: OidFactory,
): JsonValue {
  if (input === undefined || input === null) {
    return null;
  }
  const oid =
    isJsonObject(storedExpression) && typeof storedExpression['oid'] === 'string'
      ? storedExpression['oid']
      : createOid();
  return typeof input === 'string'
    ? { oid, expression: input }
    : { ...(isJsonObject(input) ? input : {}), oid };
}

/** The default build behavior of tables of extract datamodels (rest-api.md, "Table"; platform-facts.md, 2.4). */
const replaceAllBehavior: JsonObject = { type: 'sync', accumulativeConfig: null };

/** Creates a table document in the shape of platform-facts.md, 2.2; `name` defaults to `id` (rest-api.md, "Table"). */
export function createTableDocument(
  input: JsonObject,
  modelType: DatamodelType,
  { createOid, timestamp }: TableWriteContext,
): JsonObject {
  const oid = createOid();
  const name = input['name'] ?? input['id'] ?? null;
  return {
    ...defaultTable,
    buildBehavior: modelType === 'extract' ? replaceAllBehavior : null,
    ...omitDocumentMembers(input, readOnlyProperties),
    oid,
    id: input['id'] ?? name,
    name,
    type: getTableType(input),
    columns: createColumnDocuments(getTableColumns(input), createOid, timestamp),
    expression: createStoredExpression(input['expression'], undefined, createOid),
    createdAt: timestamp,
    ...createVersionStamp({ createOid, timestamp }),
  };
}

/**
 * Returns the table after a PATCH (rest-api.md, "Datamodel API" 1 and 2): read-only properties are ignored, `columns`
 * replaces the stored array, and any other sent property replaces the stored one.
 * @throws HttpProblem 400 for an unknown property (rest-api.md, "Errors" 1), for a PATCH without any Table property,
 * and for unknown column oids.
 */
export function applyTablePatch(
  storedTable: JsonObject,
  input: JsonObject,
  { createOid, timestamp }: TableWriteContext,
): JsonObject {
  const changes = omitDocumentMembers(input, readOnlyProperties);
  const allowed = new Set([...tableProperties, ...additionalProperties, ...Object.keys(storedTable)]);
  const unknownProperty = Object.keys(changes).find((name) => !allowed.has(name));
  if (unknownProperty !== undefined) {
    throw createValidationProblem(`${unknownProperty}: a table has no such property`);
  }
  if (Object.keys(changes).length === 0) {
    throw createValidationProblem('At least one property of the table is required');
  }
  const columns =
    'columns' in changes
      ? {
          columns: replaceColumns(
            getTableColumns(storedTable),
            getTableColumns(changes),
            createOid,
            timestamp,
          ),
        }
      : {};
  const expression =
    'expression' in changes
      ? { expression: createStoredExpression(changes['expression'], storedTable['expression'], createOid) }
      : {};
  return {
    ...storedTable,
    ...changes,
    ...columns,
    ...expression,
    ...createVersionStamp({ createOid, timestamp }),
  };
}

/** Creates the members that change with each edit: the version tag and the time (platform-facts.md, 2.2). */
export const createVersionStamp = ({ createOid, timestamp }: TableWriteContext): JsonObject => ({
  vTag: createOid(),
  lastUpdated: timestamp,
});
