import { type JsonObject, type JsonValue, isJsonObject, memberOf } from '../../base/json.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusal } from '../refusals.ts';
import { type DocumentKind, itemsOf } from './documentKind.ts';
import { tableAfter, tableSource, tableWrite } from './tableKind.ts';

type TableExpressionRef = Extract<DocumentRef, { kind: 'tableExpression' }>;
type ColumnExpressionRef = Extract<DocumentRef, { kind: 'columnExpression' }>;

/** The SQL of a custom table. */
export const tableExpressionKind: DocumentKind<TableExpressionRef> = {
  language: 'datamodel-sql',
  sourceKey: tableSource,
  ask: (client, ref, signal) => client.tables.get(ref, signal),
  show: (source) => sqlOf(memberOf(source, 'expression')),
  writes(ref, { source, next }) {
    const stored = memberOf(source, 'expression');
    return sqlOf(stored) === next ? [] : [tableWrite(ref, { expression: inFormOf(stored, sqlText(next)) })];
  },
  after: tableAfter,
};

/** The SQL of a custom column, which is embedded in its table: a write carries all columns (spec, rule 2). */
export const columnExpressionKind: DocumentKind<ColumnExpressionRef> = {
  language: 'datamodel-sql',
  sourceKey: tableSource,
  ask: (client, ref, signal) => client.tables.get(ref, signal),
  show: (source, { columnId }) => sqlOf(memberOf(columnOf(source, columnId), 'expression')),
  writes(ref, { source, next }) {
    const column = columnOf(source, ref.columnId);
    if (column === undefined) {
      throw new DocumentRefusal('gone');
    }
    if (sqlOf(memberOf(column, 'expression')) === next) {
      return [];
    }
    const expression = inFormOf(memberOf(column, 'expression'), sqlText(next));
    const columns = itemsOf(memberOf(source, 'columns')).map((item) =>
      item === column ? { ...column, expression } : item,
    );
    return [tableWrite(ref, { columns })];
  },
  after: tableAfter,
};

const columnOf = (table: JsonValue, oid: string): JsonObject | undefined =>
  itemsOf(memberOf(table, 'columns'))
    .filter(isJsonObject)
    .find((column) => column['oid'] === oid);

/** SQL is answered as text or as `{oid, expression}` (platform-facts 2.2). */
function sqlOf(expression: JsonValue | undefined): string | undefined {
  const text = isJsonObject(expression) ? expression['expression'] : expression;
  return typeof text === 'string' ? text : undefined;
}

/** SQL goes back in the form in which it came. */
const inFormOf = (stored: JsonValue | undefined, text: string): JsonValue =>
  isJsonObject(stored) ? { ...stored, expression: text } : text;

/** An expression is required (spec, "Table"), and one without a word is none. */
function sqlText(next: JsonValue): string {
  if (typeof next !== 'string' || next.trim() === '') {
    throw new DocumentRefusal('empty-expression');
  }
  return next;
}
