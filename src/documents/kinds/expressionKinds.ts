import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../../base/json.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusedError } from '../refusals.ts';
import { type DocumentKindDescriptor, getListItems } from './documentKind.ts';
import { applyTableWrites, getTableSourceKey, createTableWrite } from './tableKind.ts';

type TableExpressionRef = Extract<DocumentRef, { kind: 'tableExpression' }>;
type ColumnExpressionRef = Extract<DocumentRef, { kind: 'columnExpression' }>;

/** The SQL of a custom table. */
export const tableExpressionKind: DocumentKindDescriptor<TableExpressionRef> = {
  language: 'datamodel-sql',
  getSourceKey: getTableSourceKey,
  fetch: (client, ref, signal) => client.tables.get(ref, signal),
  getVisiblePart: (source) => getSql(getMember(source, 'expression')),
  createWrites(ref, { source, next }) {
    const storedExpression = getMember(source, 'expression');
    return getSql(storedExpression) === next
      ? []
      : [createTableWrite(ref, { expression: toStoredForm(storedExpression, requireSql(next)) })];
  },
  applyWrites: applyTableWrites,
};

/**
 * The SQL of a custom column, which is embedded in its table: a write carries all columns
 * (rest-api.md, "Datamodel API" 2).
 */
export const columnExpressionKind: DocumentKindDescriptor<ColumnExpressionRef> = {
  language: 'datamodel-sql',
  getSourceKey: getTableSourceKey,
  fetch: (client, ref, signal) => client.tables.get(ref, signal),
  getVisiblePart: (source, { columnId }) => getSql(getMember(findColumn(source, columnId), 'expression')),
  createWrites(ref, { source, next }) {
    const column = findColumn(source, ref.columnId);
    if (column === undefined) {
      throw new DocumentRefusedError('gone');
    }
    if (getSql(getMember(column, 'expression')) === next) {
      return [];
    }
    const expression = toStoredForm(getMember(column, 'expression'), requireSql(next));
    const columns = getListItems(getMember(source, 'columns')).map((item) =>
      item === column ? { ...column, expression } : item,
    );
    return [createTableWrite(ref, { columns })];
  },
  applyWrites: applyTableWrites,
};

const findColumn = (table: JsonValue, oid: string): JsonObject | undefined =>
  getListItems(getMember(table, 'columns'))
    .filter(isJsonObject)
    .find((column) => column['oid'] === oid);

/** SQL is returned as text or as `{oid, expression}` (platform-facts.md, 2.2). */
function getSql(expression: JsonValue | undefined): string | undefined {
  const text = isJsonObject(expression) ? expression['expression'] : expression;
  return typeof text === 'string' ? text : undefined;
}

/** Returns SQL in the same form as the stored one: as text, or as an object. */
const toStoredForm = (storedExpression: JsonValue | undefined, text: string): JsonValue =>
  isJsonObject(storedExpression) ? { ...storedExpression, expression: text } : text;

/** An expression is required (rest-api.md, "Table"), and a blank one doesn't count. */
function requireSql(next: JsonValue): string {
  if (typeof next !== 'string' || next.trim() === '') {
    throw new DocumentRefusedError('empty-expression');
  }
  return next;
}
