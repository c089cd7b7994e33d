import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import type { IdUse } from '../../changes/model/inverseWrites.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import { createTableCreationWrite, createTableUpdateWrite } from '../../changes/model/tableWrites.ts';
import { findMaskPaths } from '../../base/secrets/maskPaths.ts';
import { tableProperties } from '../../contract/table.ts';
import { isCustomColumn, isCustomTable, isGeneratedColumn } from '../compare/compareContents.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { UnresolvedReferenceError, hasReferences, resolveReferences } from './references.ts';
import {
  changesSql,
  changesSqlWithDeletions,
  createColumn,
  createDeletedColumnCheck,
  getChangedColumns,
  getChangedMembers,
  getFirstColumns,
  getHiddenColumns,
  isHiddenFirst,
  isShownLater,
  keepHidden,
  listDeletedColumns,
  toExpression,
} from './sentColumns.ts';
import type { StillHidden } from './problems.ts';
import type { TableContext, TableItemChange, TableKey } from './tableContext.ts';
import type { TargetTable } from './targetNames.ts';
import { createParams } from './writeList.ts';

const writableNames: readonly string[] = tableProperties;

/** Adds the write that creates a table. References are set afterwards: see {@link addReferences}. */
export function addTableCreation({ key, content }: TableItemChange, context: TableContext): void {
  const { datamodel, list, getSql, problems, deferred } = context;
  const datasetName = getText(getMember(content, 'dataset'));
  const datasetId = datamodel.datasetIds.get(datasetName);
  if (datasetId === undefined) {
    problems.push({ code: 'unknown-reference', key, name: datasetName });
    return;
  }
  const isCustom = isCustomTable(content);
  if (!isCustom && getText(getMember(content, 'id')) === '') {
    problems.push({ code: 'missing-id', key, name: key.table });
    return;
  }
  const sql = getSql(key.table);
  const members = getWritableMembers(content).filter(([, value]) => !hasReferences(value));
  const body: JsonObject = {
    ...Object.fromEntries(members),
    name: key.table,
    ...createInitialBuildBehavior(content),
    ...(sql === undefined ? {} : { expression: sql }),
    ...(isCustom
      ? {}
      : {
          columns: [...getColumnsByName(content)].map(([name, column]) =>
            createColumn(column, getSql(key.table, name)),
          ),
        }),
  };
  if (findMaskPaths(body).length > 0) {
    problems.push({ code: 'masked-secret', key, name: key.table });
  }
  if (isCustom) {
    // Sent columns replace all others, so the generated ones have to be known before custom ones can be added.
    deferred.push(
      ...[...getColumnsByName(content)]
        .filter(([, column]) => isCustomColumn(column))
        .map(([column]) => ({
          key: { kind: 'columnExpression', datamodel: key.datamodel, table: key.table, column } as const,
          reason: 'generated-column' as const,
          generatedBy: [key.table],
        })),
    );
  }
  const { params, uses } = createParams({ datamodelId: datamodel.id, datasetId });
  const index = list.add(createTableCreationWrite(params, body), uses);
  datamodel.tables.set(key.table, {
    id: { write: index, from: ['oid'] },
    datasetId,
    columnIds: new Map(
      // The columns of a custom table are generated from its SQL; some servers return them with the response.
      isCustom
        ? []
        : [...getColumnsByName(content).keys()].map((name) => [
            name,
            { write: index, from: ['columns', name, 'oid'] },
          ]),
    ),
  });
}

/**
 * Returns the build behavior of a new table without its reference to a column, which has no ID before the table is
 * created.
 */
const createInitialBuildBehavior = (content: JsonValue): JsonObject => {
  const behavior = getMember(content, 'buildBehavior');
  return isJsonObject(behavior) && hasReferences(behavior)
    ? { buildBehavior: { ...behavior, accumulativeConfig: null } }
    : {};
};

function getWritableMembers(content: JsonValue): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(content)
    ? Object.entries(content).filter(
        ([name, value]) =>
          value !== null && writableNames.includes(name) && name !== 'columns' && name !== 'name',
      )
    : [];
}

/** Adds the write that sets the members of a new table which refer to columns by ID. */
export function addReferences({ key, content }: TableItemChange, context: TableContext): void {
  const table = context.datamodel.tables.get(key.table);
  const members = getWritableMembers(content).filter(([, value]) => hasReferences(value));
  if (table !== undefined && members.length > 0) {
    addUpdate(key, table, Object.fromEntries(members), context);
  }
}

/**
 * Adds the write that changes a table, its columns and its SQL. {@link addLaterTableUpdate} adds what comes later: the
 * deletion of columns, the SQL of the table if columns are deleted with it, and what is shown, unless everything is
 * done in one step.
 */
export function addTableUpdate(tableChange: TableItemChange, context: TableContext): void {
  const { key, change, content } = tableChange;
  const table = context.datamodel.tables.get(key.table);
  if (table?.document === undefined) {
    return;
  }
  const { document } = table;
  const members = getChangedMembers(tableChange).filter(
    ([name]) =>
      name !== 'hidden' ||
      !(isShownLater(tableChange, document, context) || isHiddenFirst(tableChange, document, context)),
  );
  const isRenamed = change?.from?.kind === 'table' && change.from.table !== key.table;
  const isWrittenLater = context.includesDeletions && changesSqlWithDeletions(tableChange);
  const columns = getFirstColumns(tableChange, document, context);
  const body: JsonObject = {
    ...Object.fromEntries(members.map(([name, value]) => [name, completeMember(name, value)])),
    ...(isRenamed ? { name: key.table } : {}),
    ...(isWrittenLater ? {} : getChangedSql(tableChange, document, context)),
    ...(columns === undefined ? {} : { columns }),
  };
  if (Object.keys(body).length > 0) {
    const index = addUpdate(key, table, body, context);
    if (index !== undefined && !isWrittenLater) {
      addNewColumns(table, content, index);
    }
  }
}

/** Adds the write that hides a table and columns of it before they change, if they are hidden or deleted. */
export function addTableHiding(tableChange: TableItemChange, context: TableContext): void {
  const { key, change } = tableChange;
  const { hidingList } = context;
  const table = context.datamodel.tables.get(key.table);
  if (table?.document === undefined || hidingList === undefined) {
    return;
  }
  const { document } = table;
  const columns = change?.action === 'delete' ? undefined : getHiddenColumns(tableChange, document, context);
  const body: JsonObject = {
    ...(isHiddenFirst(tableChange, document, context) ? { hidden: true } : {}),
    ...(columns === undefined || jsonEquals(columns, getObjects(document['columns'])) ? {} : { columns }),
  };
  if (Object.keys(body).length > 0) {
    addUpdate(key, table, body, { ...context, list: hidingList });
  }
}

/** Returns the member with the SQL of a table, or nothing if the SQL doesn't change. */
function getChangedSql(
  { key, expressions }: TableItemChange,
  document: JsonObject,
  { getSql }: TableContext,
): JsonObject {
  const sql = changesSql(expressions) ? getSql(key.table) : undefined;
  return sql === undefined ? {} : { expression: toExpression(document['expression'], sql) };
}

/**
 * Sets `accumulativeConfig` to null in a build behavior without it: otherwise, the platform keeps the old value. Null
 * is never sent as tags, because the guide doesn't mention them.
 */
const completeMember = (name: string, value: JsonValue): JsonValue =>
  name === 'buildBehavior' && isJsonObject(value)
    ? { accumulativeConfig: null, ...value }
    : name === 'tags' && value === null
      ? []
      : value;

/**
 * Adds the write that deletes columns of a table and shows others. It also changes the SQL of the table if columns are
 * deleted. It is sent after the rules have changed: without the deleted columns, or with the shown ones, the old rules
 * could show more values.
 */
export function addLaterTableUpdate(tableChange: TableItemChange, context: TableContext): void {
  const { key, change } = tableChange;
  const table = context.datamodel.tables.get(key.table);
  if (table?.document === undefined || change?.action === 'delete') {
    return;
  }
  const { document } = table;
  const deletes = context.includesDeletions && listDeletedColumns(change).size > 0;
  const isDeleted = createDeletedColumnCheck(tableChange, document, context);
  const changed = getChangedColumns(tableChange, document, context);
  const first = context.hidingList === undefined ? changed : keepHidden(tableChange, document, context);
  const isShown = (column: JsonObject, index: number): boolean =>
    first[index] !== column && !jsonEquals(first[index], column) && !isDeleted(column, index);
  const { keepsHidden } = context;
  const showsTable = isShownLater(tableChange, document, context);
  // The next apply wouldn't show a new column whose file doesn't say that it isn't hidden.
  const waits = ({ hidden }: JsonObject): boolean => keepsHidden && hidden !== undefined;
  const shown = changed.filter(isShown);
  const stillHidden: StillHidden = {
    isTable: keepsHidden && showsTable,
    columns: shown.filter(waits).map(({ name }) => getText(name)),
  };
  if (stillHidden.isTable || stillHidden.columns.length > 0) {
    context.deferred.push({ key, reason: 'renames-first', part: 'unhiding', stillHidden });
  }
  const columns = changed.flatMap((column, index) =>
    isDeleted(column, index)
      ? []
      : isShown(column, index)
        ? [{ ...column, hidden: waits(column) }]
        : [column],
  );
  // Columns that the operation has added have an ID by now, which must be sent to keep them.
  const uses = columns.flatMap(({ name, oid }, index): readonly IdUse[] => {
    const id = oid === undefined ? table.columnIds.get(getText(name)) : undefined;
    return id === undefined ? [] : [{ into: ['body', 'columns', index, 'oid'], id }];
  });
  const body: JsonObject = {
    ...(showsTable && !keepsHidden ? { hidden: false } : {}),
    ...(deletes ? getChangedSql(tableChange, document, context) : {}),
    ...(deletes || !shown.every(waits) ? { columns } : {}),
  };
  if (Object.keys(body).length > 0) {
    addUpdate(key, table, body, context, 'columns' in body ? uses : []);
  }
}

/** Adds the columns that an update creates. The generated columns of a custom table are created by a build instead. */
function addNewColumns({ columnIds }: TargetTable, content: JsonValue, index: number): void {
  for (const [name, column] of getColumnsByName(content)) {
    if (!columnIds.has(name) && !isGeneratedColumn(content, column)) {
      columnIds.set(name, { write: index, from: ['columns', name, 'oid'] });
    }
  }
}

/**
 * Adds the write that changes a table. Returns its index; `undefined` if all members are deferred until after a build.
 */
function addUpdate(
  key: TableKey,
  { id, datasetId }: TargetTable,
  body: JsonObject,
  { datamodel, list, findId, isGenerated, problems, deferred }: TableContext,
  otherUses: readonly IdUse[] = [],
): number | undefined {
  const { params, uses } = createParams({ datamodelId: datamodel.id, datasetId, tableId: id });
  const bodyUses: IdUse[] = [];
  const members: (readonly [string, JsonValue])[] = [];
  for (const [name, value] of Object.entries(body)) {
    try {
      const resolved = resolveReferences(value, [name], findId);
      members.push([name, resolved.value]);
      bodyUses.push(...resolved.uses);
    } catch (error) {
      if (!(error instanceof UnresolvedReferenceError)) {
        throw error;
      }
      if (isGenerated(error.names)) {
        deferred.push({
          key,
          reason: 'generated-column',
          generatedBy: [getText(error.names['table'])],
          part: 'references',
        });
      } else {
        problems.push({ code: 'unknown-reference', key, name: error.reference });
      }
    }
  }
  if (members.length === 0) {
    return undefined;
  }
  const resolvedBody = Object.fromEntries(members);
  if (findMaskPaths(resolvedBody).length > 0) {
    problems.push({ code: 'masked-secret', key, name: key.table });
  }
  return list.add(createTableUpdateWrite(params, resolvedBody), [...uses, ...bodyUses, ...otherUses]);
}
