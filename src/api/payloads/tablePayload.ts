import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { tableProperties, tableTypes } from '../../contract/table.ts';
import { PayloadError } from '../payloadError.ts';
import { type WriteDocument, arrayAt, objectAt, only, textAt, without } from './document.ts';

/**
 * Body of POST /tables. A base table needs `id` and has `columns`, a custom table needs `expression` and has none,
 * since they are made from it (spec, "Table"). Oids of columns stay behind: no column of a new table exists yet.
 * @throws PayloadError
 */
export function newTablePayload(document: WriteDocument): JsonObject {
  const table = tableDocument(document);
  if (table['type'] === 'custom') {
    textAt(table['expression'], ['expression']);
    return without(table, ['columns']);
  }
  textAt(table['id'], ['id']);
  const columns = columnsOf(table);
  return columns === undefined
    ? table
    : { ...table, columns: columns.map((column) => without(column, ['oid'])) };
}

/**
 * Body of PATCH /tables/{id}: the Table properties of the document and nothing else, since any other is an error
 * (spec, errors 1); at least one (rule 1). `columns` goes out as it is given, whole, each with its oid: a stored one
 * that is missing is deleted, one without oid is created (rule 2).
 * @throws PayloadError
 */
export function tableChangePayload(document: WriteDocument): JsonObject {
  const table = tableDocument(document);
  if (Object.keys(table).length === 0) {
    throw new PayloadError('no-table-property');
  }
  columnsOf(table);
  return table;
}

/** Names of a document's properties that no PATCH of a table can carry: made by the server, or mistyped. */
export function unsentTableProperties(document: WriteDocument): readonly string[] {
  const known: readonly string[] = tableProperties;
  return Object.keys(document).filter((name) => !known.includes(name));
}

function tableDocument(document: WriteDocument): JsonObject {
  const table = only(document, tableProperties);
  const type = table['type'];
  const spelled = typeof type === 'string' ? { ...table, type: type.toLowerCase() } : table;
  if (spelled['type'] !== undefined && !tableTypes.some((known) => known === spelled['type'])) {
    throw new PayloadError('wrong-type', ['type']);
  }
  return 'expression' in spelled
    ? { ...spelled, expression: plainExpression(spelled['expression']) }
    : spelled;
}

/** A request carries the SQL as text, an answer as `{oid, expression}` (spec, "Table"; platform-facts 2.2). */
const plainExpression = (expression: JsonValue | undefined): JsonValue => {
  const text = isJsonObject(expression) ? expression['expression'] : undefined;
  return typeof text === 'string' ? text : (expression ?? null);
};

function columnsOf(table: JsonObject): readonly JsonObject[] | undefined {
  const columns = table['columns'];
  return columns === undefined || columns === null
    ? undefined
    : arrayAt(columns, ['columns']).map((column, index) => objectAt(column, ['columns', index]));
}
