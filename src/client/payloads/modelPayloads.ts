import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import {
  datamodelTypes,
  datasetTypes,
  readOnlyConnectionFields,
  minRelationColumns,
  relationProperties,
} from '../../contract/datamodel.ts';
import { PayloadError } from '../errors.ts';
import {
  type DocumentToWrite,
  requireText,
  requireObject,
  pickProperties,
  omitProperties,
  requireArray,
} from './documentToWrite.ts';
import { tableProperties, tableTypes } from '../../contract/table.ts';

/**
 * Body of POST /datamodels: `title` (required) and `type`, extract by default (rest-api.md, "Datamodel"). Nothing else
 * of a datamodel can be written.
 * @throws PayloadError
 */
export function createDatamodelPayload(document: DocumentToWrite): JsonObject {
  const title = requireText(document['title'], ['title']);
  const type = document['type'] ?? 'extract';
  const typeName = typeof type === 'string' ? type.toLowerCase() : '';
  if (!datamodelTypes.some((validType) => validType === typeName)) {
    throw new PayloadError('wrong-type', ['type']);
  }
  return { title, type: typeName };
}

export interface DatasetConnectionPayloadOptions {
  /**
   * Must be set to send `parameters` that are an encrypted string: they may contain another user's secrets
   * (decisions.md, "Documents"; platform-facts.md, 2.5).
   */
  readonly sendEncryptedParameters?: boolean;
}

/** The properties of a new dataset: the guide's fields and two that a real client sends (platform-facts.md, 2.5). */
const newDatasetProperties = ['name', 'type', 'connection', 'database', 'schemaName'];

/**
 * Body of POST /datasets: `name`, `type`, and `connection` unless the type is custom (rest-api.md, "Dataset").
 * @throws PayloadError
 */
export function createDatasetPayload(
  document: DocumentToWrite,
  options: DatasetConnectionPayloadOptions = {},
): JsonObject {
  const name = requireText(document['name'], ['name']);
  const type = requireText(document['type'], ['type']).toLowerCase();
  if (!datasetTypes.some((validType) => validType === type)) {
    throw new PayloadError('wrong-type', ['type']);
  }
  const body = { ...pickProperties(document, newDatasetProperties), name, type };
  return type === 'custom'
    ? omitProperties(body, ['connection'])
    : { ...body, connection: createDatasetConnectionPayload(document['connection'], options) };
}

/**
 * Body of PATCH /datasets/{id}: the connection only, complete for its connector (rest-api.md, "Dataset").
 * @throws PayloadError
 */
export function createDatasetChangePayload(
  document: DocumentToWrite,
  options: DatasetConnectionPayloadOptions = {},
): JsonObject {
  return { connection: createDatasetConnectionPayload(document['connection'], options) };
}

/**
 * A connection without its read-only properties `id`, `owner`, `autoRefresh` and `protectedParameters`, which must not
 * be sent (rest-api.md, "Dataset"). Without its parameters a connection would not be complete, so an encrypted string
 * is rejected rather than omitted.
 * @throws PayloadError `encrypted-parameters` when they are an encrypted string and sending them was not requested
 */
export function createDatasetConnectionPayload(
  value: unknown,
  options: DatasetConnectionPayloadOptions = {},
): JsonObject {
  const connection = requireObject(value, ['connection']);
  if (typeof connection['parameters'] === 'string' && options.sendEncryptedParameters !== true) {
    throw new PayloadError('encrypted-parameters', ['connection', 'parameters']);
  }
  return omitProperties(connection, readOnlyConnectionFields);
}

/**
 * Body of POST /tables. A base table needs `id` and has `columns`, a custom table needs `expression` and has none,
 * since they are derived from it (rest-api.md, "Table"). The vendor's contract (platform-facts.md, "TableInput")
 * requires `id` of a custom table as well: it defaults to the name. Oids of columns are not sent: no column of a new
 * table exists yet.
 * @param includeEmptyColumns sends `columns` of a custom table as an empty array, for servers that require it
 * @throws PayloadError
 */
export function createTablePayload(document: DocumentToWrite, includeEmptyColumns = false): JsonObject {
  const table = pickTableProperties(document);
  const { expression } = table;
  const normalizedTable =
    expression === undefined ? table : { ...table, expression: toPlainExpression(expression) };
  if (normalizedTable['type'] === 'custom') {
    requireText(normalizedTable['expression'], ['expression']);
    const id = requireText(normalizedTable['id'] ?? normalizedTable['name'], ['id']);
    return {
      id,
      ...omitProperties(normalizedTable, ['columns', 'id']),
      ...(includeEmptyColumns ? { columns: [] } : {}),
    };
  }
  requireText(normalizedTable['id'], ['id']);
  const columns = parseColumns(normalizedTable);
  return columns === undefined
    ? normalizedTable
    : { ...normalizedTable, columns: columns.map(createColumnPayload) };
}

/**
 * A column of a new table. Its SQL is sent as text; a response may have an object (platform-facts.md, "ColumnOutput").
 */
function createColumnPayload(column: JsonObject): JsonObject {
  const payload = omitProperties(column, ['oid']);
  const { expression } = payload;
  return isJsonObject(expression) ? { ...payload, expression: toPlainExpression(expression) } : payload;
}

/**
 * Body of PATCH /tables/{id}: the Table properties of the document and nothing else, since any other is an error
 * (rest-api.md, "Errors" 1); at least one. `columns` is sent as given, complete, each with its oid: a stored one that
 * is missing is deleted, one without oid is created (rest-api.md, "Datamodel API" 1 and 2). `expression` is sent in the
 * form in which it is given: as text, like in recorded requests, or as an object, like in responses (platform-facts.md,
 * 2.2).
 * @throws PayloadError
 */
export function createTableChangePayload(document: DocumentToWrite): JsonObject {
  const table = pickTableProperties(document);
  if (Object.keys(table).length === 0) {
    throw new PayloadError('no-table-property');
  }
  // Only checks them: they are sent as given.
  parseColumns(table);
  return table;
}

/** Names of a document's properties that no PATCH of a table can carry: server-managed, or mistyped. */
export function getUnsentTableProperties(document: DocumentToWrite): readonly string[] {
  const sendableNames: readonly string[] = tableProperties;
  return Object.keys(document).filter((name) => !sendableNames.includes(name));
}

function pickTableProperties(document: DocumentToWrite): JsonObject {
  const pickedProperties = pickProperties(document, tableProperties);
  // The guide does not mention tags, so null is not sent.
  const table =
    pickedProperties['tags'] === null ? omitProperties(pickedProperties, ['tags']) : pickedProperties;
  const type = table['type'];
  const normalizedTable = typeof type === 'string' ? { ...table, type: type.toLowerCase() } : table;
  if (
    normalizedTable['type'] !== undefined &&
    !tableTypes.some((validType) => validType === normalizedTable['type'])
  ) {
    throw new PayloadError('wrong-type', ['type']);
  }
  return normalizedTable;
}

/**
 * A request to create a table contains the SQL as text, a response often has `{oid, expression}` (platform-facts.md,
 * 6.3 and 2.2).
 */
const toPlainExpression = (expression: JsonValue | undefined): JsonValue => {
  const text = isJsonObject(expression) ? expression['expression'] : undefined;
  return typeof text === 'string' ? text : (expression ?? null);
};

function parseColumns(table: JsonObject): readonly JsonObject[] | undefined {
  const columns = table['columns'];
  return columns === undefined || columns === null
    ? undefined
    : requireArray(columns, ['columns']).map((column, index) => requireObject(column, ['columns', index]));
}

/**
 * Body of POST and PATCH /relations: the complete `columns` array, at least two, each with the oids of its dataset,
 * table and column. On PATCH, columns not sent are removed (rest-api.md, "Relation", "Datamodel API" 3 and "Errors" 2).
 * @throws PayloadError
 */
export function createRelationPayload(document: DocumentToWrite): JsonObject {
  const columns = requireArray(document['columns'], ['columns']);
  if (columns.length < minRelationColumns) {
    throw new PayloadError('too-few-columns', ['columns']);
  }
  for (const [index, column] of columns.entries()) {
    const relationColumn = requireObject(column, ['columns', index]);
    for (const name of ['dataset', 'table', 'column']) {
      requireText(relationColumn[name], ['columns', index, name]);
    }
  }
  return pickProperties(document, relationProperties);
}
