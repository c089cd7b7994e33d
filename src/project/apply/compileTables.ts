import { type JsonObject, type JsonValue, getMember, isJsonObject, mapMembers } from '../../base/json.ts';
import type { IdOrOutput, IdUse } from '../../changes/model/inverseWrites.ts';
import { getObjects, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { createTableCreationWrite, createTableUpdateWrite } from '../../changes/model/tableWrites.ts';
import { findMaskPaths } from '../../base/secrets/maskPaths.ts';
import { tableProperties } from '../../contract/table.ts';
import { readColumnName } from '../instance/identifiers.ts';
import { type ItemKey, renamedFromMember } from '../item.ts';
import { isCustomColumn, isCustomTable, isGeneratedColumn, omitDerived } from '../compare/compareContents.ts';
import { getClearedColumnValue, isRemovableInColumn } from '../compare/instanceDefaults.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type Renamer } from '../pull/renames.ts';
import type { ApplyProblem, DeferredChange } from './problems.ts';
import { UnresolvedReferenceError, hasReferences, resolveReferences } from './references.ts';
import type { TargetDatamodel, TargetTable } from './targetNames.ts';
import { type WriteList, createParams } from './writeList.ts';

type TableKey = Extract<ItemKey, { readonly kind: 'table' }>;

/** The changes of a table and of its SQL. */
export interface TableItemChange {
  readonly key: TableKey;
  /** The change of the table itself. */
  readonly change: ItemChange | undefined;
  /** The changes of its SQL. */
  readonly expressions: readonly ItemChange[];
  /** The content that the project wants. */
  readonly content: JsonValue;
}

/** The context of the tables of a datamodel. */
export interface TableContext {
  readonly datamodel: TargetDatamodel;
  readonly list: WriteList;
  readonly renamer: Renamer;
  /** Returns the SQL that the project has for a table or one of its columns. */
  readonly getSql: (table: string, column?: string) => string | undefined;
  readonly findId: (names: JsonObject) => IdOrOutput | undefined;
  /** Whether the operation includes deletions. */
  readonly includesDeletions: boolean;
  /** Returns whether the names are those of a column that only a build creates. */
  readonly isGenerated: (names: JsonObject) => boolean;
  readonly problems: ApplyProblem[];
  readonly deferred: DeferredChange[];
}

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

function createColumn(column: JsonObject, sql: string | undefined): JsonObject {
  return {
    ...omitMembers(column, renamedFromMember, ...listNulls(column)),
    ...(sql === undefined ? {} : { expression: sql }),
  };
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
 * Adds the write that changes a table, its columns and its SQL. Columns are deleted later, by
 * {@link addColumnDeletions}. If columns are deleted and the SQL of the table changes, the SQL is also written later.
 */
export function addTableUpdate(tableChange: TableItemChange, context: TableContext): void {
  const { key, change, expressions, content } = tableChange;
  const table = context.datamodel.tables.get(key.table);
  if (table?.document === undefined) {
    return;
  }
  const parts = change?.parts ?? [];
  const members = parts.flatMap(({ pointer, after }) => {
    const [name = '', ...rest] = pointer.slice(1).split('/');
    return name === 'columns' && rest.length > 0 ? [] : after === undefined ? [] : [[name, after] as const];
  });
  const isRenamed = change?.from?.kind === 'table' && change.from.table !== key.table;
  const isWrittenLater = context.includesDeletions && changesSqlWithDeletions(tableChange);
  const changesColumns =
    !isWrittenLater &&
    (parts.some(({ pointer, after }) => pointer.startsWith('/columns/') && after !== undefined) ||
      expressions.some(({ key: { kind } }) => kind === 'columnExpression'));
  const body: JsonObject = {
    ...Object.fromEntries(members.map(([name, value]) => [name, completeMember(name, value)])),
    ...(isRenamed ? { name: key.table } : {}),
    ...(isWrittenLater ? {} : getChangedSql(tableChange, table.document, context)),
    ...(changesColumns ? { columns: getChangedColumns(tableChange, table.document, context) } : {}),
  };
  if (Object.keys(body).length > 0) {
    const index = addUpdate(key, table, body, context);
    if (index !== undefined && !isWrittenLater) {
      addNewColumns(table, content, index);
    }
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

const changesSql = (expressions: readonly ItemChange[]): boolean =>
  expressions.some(({ key: { kind } }) => kind === 'tableExpression');

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

/** SQL is sent in the form in which it was received (platform-facts.md, 2.2). */
const toExpression = (current: JsonValue | undefined, sql: string): JsonValue =>
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
const listDeletedColumns = (change: ItemChange | undefined): ReadonlySet<string> =>
  new Set(
    (change?.action === 'delete' ? [] : (change?.parts ?? [])).flatMap(({ pointer, before, after }) =>
      pointer.startsWith('/columns/') && isJsonObject(before) && after === undefined
        ? [getText(before['name'])]
        : [],
    ),
  );

/**
 * Adds the write that deletes columns of a table, and changes its SQL if that changes, too. It is sent after the rules
 * have changed, because without the columns, the old rules could show more values.
 */
export function addColumnDeletions(tableChange: TableItemChange, context: TableContext): void {
  const { key, change, content } = tableChange;
  const table = context.datamodel.tables.get(key.table);
  const deleted = listDeletedColumns(change);
  if (table?.document === undefined || deleted.size === 0) {
    return;
  }
  const wanted = getColumnsByName(content);
  const columns = getChangedColumns(tableChange, table.document, context).filter(({ name, oid }, index) => {
    const former = getObjects(table.document?.['columns'])[index];
    const isDeleted =
      oid !== undefined &&
      former !== undefined &&
      deleted.has(readColumnName(former)) &&
      !wanted.has(getText(name));
    return !isDeleted;
  });
  // Columns that the operation has added have an ID by now, which must be sent to keep them.
  const uses = columns.flatMap(({ name, oid }, index): readonly IdUse[] => {
    const id = oid === undefined ? table.columnIds.get(getText(name)) : undefined;
    return id === undefined ? [] : [{ into: ['body', 'columns', index, 'oid'], id }];
  });
  const sql = getChangedSql(tableChange, table.document, context);
  addUpdate(key, table, { ...sql, columns }, context, uses);
}

/**
 * Returns all columns of a table after a change, since the array replaces the stored one (rest-api.md, "Datamodel API"
 * 2): those of the instance in their order, then the new ones.
 */
function getChangedColumns(
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
