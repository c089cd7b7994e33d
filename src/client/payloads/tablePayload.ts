import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { tableProperties, tableTypes } from '../../contract/table.ts';
import { PayloadError } from '../payloadError.ts';
import { type WriteDocument, arrayAt, objectAt, only, textAt, without } from './document.ts';

/**
 * Body of POST /tables. A base table needs `id` and has `columns`, a custom table needs `expression` and has none,
 * since they are made from it (spec, "Table"). The contract (v2.0, TableInput) requires `id` of a custom table as well:
 * it is the name where none is given. Oids of columns stay behind: no column of a new table exists yet.
 * @param emptyColumns sends `columns` of a custom table as an empty array, for servers that ask for it
 * @throws PayloadError
 */
export function newTablePayload(document: WriteDocument, emptyColumns = false): JsonObject {
  const table = tableDocument(document);
  const { expression } = table;
  const made = expression === undefined ? table : { ...table, expression: plainExpression(expression) };
  if (made['type'] === 'custom') {
    textAt(made['expression'], ['expression']);
    const id = textAt(made['id'] ?? made['name'], ['id']);
    return { id, ...without(made, ['columns', 'id']), ...(emptyColumns ? { columns: [] } : {}) };
  }
  textAt(made['id'], ['id']);
  const columns = columnsOf(made);
  return columns === undefined ? made : { ...made, columns: columns.map(newColumn) };
}

/** A column of a new table: text is what the contract takes for its SQL, too (v2.0, ColumnInput). */
function newColumn(column: JsonObject): JsonObject {
  const made = without(column, ['oid']);
  const { expression } = made;
  return isJsonObject(expression) ? { ...made, expression: plainExpression(expression) } : made;
}

/**
 * Body of PATCH /tables/{id}: the Table properties of the document and nothing else, since any other is an error
 * (spec, errors 1); at least one (rule 1). `columns` goes out as it is given, whole, each with its oid: a stored one
 * that is missing is deleted, one without oid is created (rule 2). `expression` goes out in the form in which it is
 * given: the contract (v2.0) has an object, recorded requests have text.
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
  const known = only(document, tableProperties);
  // The spec does not know tags: only those that there are go out.
  const table = known['tags'] === null ? without(known, ['tags']) : known;
  const type = table['type'];
  const spelled = typeof type === 'string' ? { ...table, type: type.toLowerCase() } : table;
  if (spelled['type'] !== undefined && !tableTypes.some((known) => known === spelled['type'])) {
    throw new PayloadError('wrong-type', ['type']);
  }
  return spelled;
}

/** A creation carries the SQL as text, an answer often as `{oid, expression}` (contract v2.0; platform-facts 2.2). */
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
