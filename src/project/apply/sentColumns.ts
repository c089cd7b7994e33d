import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject, mapMembers } from '../../base/json.ts';
import { getObjects, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { isGeneratedColumn, omitDerived } from '../compare/compareContents.ts';
import { getClearedColumnValue, isRemovableInColumn } from '../compare/instanceDefaults.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { readColumnName } from '../instance/identifiers.ts';
import { renamedFromMember } from '../item.ts';
import type { TableContext, TableItemChange } from './tableContext.ts';

export function createColumn(column: JsonObject, sql: string | undefined): JsonObject {
  return {
    ...omitMembers(column, renamedFromMember, ...listNulls(column)),
    ...(sql === undefined ? {} : { expression: sql }),
  };
}

/** Returns the members of a table that change, other than single columns. */
export const getChangedMembers = ({ change }: TableItemChange): readonly (readonly [string, JsonValue])[] =>
  (change?.parts ?? []).flatMap(({ pointer, after }) => {
    const [name = '', ...rest] = pointer.slice(1).split('/');
    return (name === 'columns' && rest.length > 0) || after === undefined ? [] : [[name, after] as const];
  });

/** Returns whether a hidden table is shown only after what restricts it has changed (platform-facts.md, 3.5). */
export const isShownLater = (
  tableChange: TableItemChange,
  document: JsonObject,
  { hidingList }: TableContext,
): boolean =>
  hidingList !== undefined &&
  document['hidden'] === true &&
  getChangedMembers(tableChange).some(([name, value]) => name === 'hidden' && value !== true);

/** Returns whether a table is hidden before what restricts it changes (platform-facts.md, 3.5). */
export const isHiddenFirst = (
  tableChange: TableItemChange,
  document: JsonObject,
  { hidingList, includesDeletions }: TableContext,
): boolean =>
  hidingList !== undefined &&
  document['hidden'] !== true &&
  (tableChange.change?.action === 'delete'
    ? includesDeletions
    : getChangedMembers(tableChange).some(([name, value]) => name === 'hidden' && value === true));

/** Returns the current columns of a table, after those that the operation hides or deletes were hidden. */
export function getHiddenColumns(
  tableChange: TableItemChange,
  document: JsonObject,
  context: TableContext,
): readonly JsonObject[] {
  const hidden = keepHidden(tableChange, document, context);
  return getObjects(document['columns']).map((column, index) =>
    hidden[index]?.['hidden'] === true ? hideColumn(column) : column,
  );
}

/**
 * Returns the columns that a table gets before what restricts them changes; `undefined` if they stay as they are, or
 * differ from the current ones only in what was hidden before.
 */
export function getFirstColumns(
  tableChange: TableItemChange,
  document: JsonObject,
  context: TableContext,
): readonly JsonObject[] | undefined {
  const { change, expressions } = tableChange;
  const isWrittenLater = context.includesDeletions && changesSqlWithDeletions(tableChange);
  const changesColumns =
    !isWrittenLater &&
    ((change?.parts ?? []).some(
      ({ pointer, after }) => pointer.startsWith('/columns/') && after !== undefined,
    ) ||
      expressions.some(({ key: { kind } }) => kind === 'columnExpression'));
  if (context.hidingList === undefined) {
    return changesColumns ? getChangedColumns(tableChange, document, context) : undefined;
  }
  const columns = keepHidden(tableChange, document, context);
  return isWrittenLater || jsonEquals(columns, getHiddenColumns(tableChange, document, context))
    ? undefined
    : columns;
}

/** Returns the changed columns of a table, hidden if they weren't visible before, or if they will be deleted. */
export function keepHidden(
  tableChange: TableItemChange,
  document: JsonObject,
  context: TableContext,
): readonly JsonObject[] {
  const current = getObjects(document['columns']);
  const isDeleted = createDeletedColumnCheck(tableChange, document, context);
  return getChangedColumns(tableChange, document, context).map((column, index) =>
    current[index] === undefined || current[index]['hidden'] === true || isDeleted(column, index)
      ? hideColumn(column)
      : column,
  );
}

const hideColumn = (column: JsonObject): JsonObject =>
  column['hidden'] === true ? column : { ...column, hidden: true };

export const changesSql = (expressions: readonly ItemChange[]): boolean =>
  expressions.some(({ key: { kind } }) => kind === 'tableExpression');

/** SQL is sent in the form in which it was received (platform-facts.md, 2.2). */
export const toExpression = (current: JsonValue | undefined, sql: string): JsonValue =>
  isJsonObject(current) ? { ...current, expression: sql } : sql;

/**
 * Returns whether the SQL of a custom table changes, and columns of it are deleted. One write has to do both: some
 * instances generate the columns as soon as they have the SQL (docs/platform-facts.md, "TableOutput"), and a later
 * write would need the columns that are there by then.
 */
export const changesSqlWithDeletions = ({
  change,
  expressions,
}: Pick<TableItemChange, 'change' | 'expressions'>): boolean =>
  changesSql(expressions) && listDeletedColumns(change).size > 0;

/** Returns the names of the columns that a change deletes from a table that stays. */
export const listDeletedColumns = (change: ItemChange | undefined): ReadonlySet<string> =>
  new Set(
    (change?.action === 'delete' ? [] : (change?.parts ?? [])).flatMap(({ pointer, before, after }) =>
      pointer.startsWith('/columns/') && isJsonObject(before) && after === undefined
        ? [getText(before['name'])]
        : [],
    ),
  );

/** Creates a function that checks whether the operation deletes a column of {@link getChangedColumns}. */
export function createDeletedColumnCheck(
  { change, content }: TableItemChange,
  document: JsonObject,
  { includesDeletions }: TableContext,
): (column: JsonObject, index: number) => boolean {
  const deleted = includesDeletions ? listDeletedColumns(change) : new Set<string>();
  const current = getObjects(document['columns']);
  const wanted = getColumnsByName(content);
  return ({ name, oid }, index) =>
    oid !== undefined &&
    current[index] !== undefined &&
    deleted.has(readColumnName(current[index])) &&
    !wanted.has(getText(name));
}

/**
 * Returns all columns of a table after a change, since the array replaces the stored one (rest-api.md, "Datamodel API"
 * 2): those of the instance in their order, then the new ones.
 */
export function getChangedColumns(
  { key, change, expressions, content }: TableItemChange,
  document: JsonObject,
  { renamer, getSql }: TableContext,
): readonly JsonObject[] {
  const wanted = getColumnsByName(content);
  const formerTable = change?.from?.kind === 'table' ? change.from.table : key.table;
  const changedSql = new Set(
    expressions.flatMap(({ key: { kind, ...names } }) =>
      kind === 'columnExpression' && 'column' in names ? [names.column] : [],
    ),
  );
  const changedNames = new Set(
    (change?.parts ?? []).flatMap(({ after }) => (isJsonObject(after) ? [getText(after['name'])] : [])),
  );
  const currentNames = new Set<string>();
  const kept = getObjects(document['columns']).map((column): JsonObject => {
    const name = renamer.toProjectColumn(key.datamodel, formerTable, readColumnName(column));
    currentNames.add(name);
    const sql = changedSql.has(name) ? getSql(key.table, name) : undefined;
    const changes = changedNames.has(name)
      ? getColumnMembers(clearMembers(wanted.get(name) ?? {}, column), document)
      : {};
    return {
      ...column,
      ...changes,
      ...(sql === undefined ? {} : { expression: toExpression(column['expression'], sql) }),
    };
  });
  const added = [...wanted]
    .filter(([name, column]) => !currentNames.has(name) && !isGeneratedColumn(document, column))
    .map(([name, column]) => createColumn(column, getSql(key.table, name)));
  return [...kept, ...added];
}

/**
 * Returns the members to send of a column. The server derives most members of a generated column from the SQL, and null
 * can't remove each member.
 */
const getColumnMembers = (column: JsonObject, table: JsonValue): JsonObject =>
  omitMembers(
    isGeneratedColumn(table, column) ? omitDerived(column) : column,
    renamedFromMember,
    ...listNulls(column).filter((name) => !isRemovableInColumn(name)),
  );

/** Replaces null in a column of a file by what clears the member of the current column. */
const clearMembers = (wanted: JsonObject, current: JsonObject): JsonObject =>
  mapMembers(wanted, (value, name) =>
    value === null && (current[name] ?? null) !== null ? getClearedColumnValue(name) : value,
  );

const listNulls = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((name) => object[name] === null);
