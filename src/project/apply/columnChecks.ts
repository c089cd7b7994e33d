import { type JsonObject, getMember } from '../../base/json.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import { isOnRenamedColumn } from './compileRules.ts';
import { changesSqlWithDeletions } from './sentColumns.ts';

/** Checks something about a column: whether an operation creates it, or whether the operation deletes it. */
export type ColumnCheck = (column: ColumnName) => boolean;

/**
 * Returns the checks for the rules of a cube set, which name tables of any of its datamodels. A new name may already be
 * in use in another datamodel, so a name that has rules does not count as created: these rules must not change early.
 */
export function createCubeSetChecks(
  comparison: ProjectComparison,
  current: readonly JsonObject[],
): { readonly isCreatedColumn: ColumnCheck; readonly isDeletedColumn: ColumnCheck } {
  const { changes, renamer } = comparison;
  const isCreated = createColumnCheck(changes, 'create');
  const isDeleted = createDeletionCheck(changes, comparison);
  const newNames = new Set([
    ...renamer.renames.flatMap(({ to }) => (to.kind === 'table' ? [to.table] : [])),
    ...renamer.columnRenames.map(({ to }) => to),
  ]);
  const oldNames = new Set([
    ...renamer.renames.flatMap(({ from }) => (from.kind === 'table' ? [from.table] : [])),
    ...renamer.columnRenames.map(({ from }) => from),
  ]);
  const hasDeletedDatamodel = changes.some(
    ({ key, action }) => key.kind === 'datamodel' && action === 'delete',
  );
  return {
    isCreatedColumn: (column) =>
      !current.some((rule) => rule['table'] === column.table && rule['column'] === column.column) &&
      (isCreated(column) || newNames.has(column.table) || newNames.has(column.column)),
    isDeletedColumn: (column) =>
      isDeleted(column) ||
      oldNames.has(column.table) ||
      oldNames.has(column.column) ||
      // The tables of a deleted datamodel aren't listed one by one.
      hasDeletedDatamodel,
  };
}

/** Creates a function that checks whether the operation creates or deletes a column or its table. */
export function createColumnCheck(changes: readonly ItemChange[], action: 'create' | 'delete'): ColumnCheck {
  const tables = new Set<string>();
  const columns = new Set<string>();
  for (const { key, from = key, action: tableAction, parts } of changes) {
    if (key.kind !== 'table' || from.kind !== 'table') {
      continue;
    }
    if (tableAction === action) {
      tables.add(key.table);
      continue;
    }
    const [side, otherSide, { table }] =
      action === 'create' ? (['after', 'before', key] as const) : (['before', 'after', from] as const);
    for (const part of parts) {
      const name = getText(getMember(part[side], 'name'));
      if (part.pointer.startsWith('/columns/') && part[otherSide] === undefined && name !== '') {
        columns.add(JSON.stringify([table, name]));
      }
    }
  }
  return ({ table, column }) => tables.has(table) || columns.has(JSON.stringify([table, column]));
}

/**
 * Creates a function that checks whether the operation deletes a column or its table, or changes the SQL of a custom
 * table so that it no longer generates the column (rest-api.md, "Table").
 */
export function createDeletionCheck(
  changes: readonly ItemChange[],
  { notes }: Pick<ProjectComparison, 'notes'>,
): ColumnCheck {
  const isDeleted = createColumnCheck(changes, 'delete');
  const withChangedSql = new Set(
    changes.flatMap(({ key }) =>
      key.kind === 'tableExpression' ? formatItemKey({ ...key, kind: 'table' }) : [],
    ),
  );
  const dropped = new Set(
    notes.flatMap(({ code, key, before, after }) =>
      code === 'derived-column' &&
      after === undefined &&
      key.kind === 'table' &&
      withChangedSql.has(formatItemKey(key))
        ? JSON.stringify([key.table, getText(getMember(before, 'name'))])
        : [],
    ),
  );
  return (column) => isDeleted(column) || dropped.has(JSON.stringify([column.table, column.column]));
}

/**
 * Returns whether columns with rules get other names by the write that would also change the SQL of their custom table
 * and delete columns. That write comes after the former names have lost their rules (`addLaterTableUpdate`), so the
 * deletions have to wait until the renames have been applied.
 */
export const renamesInChangedSql = (changes: readonly ItemChange[]): boolean => {
  const renamed = new Set(changes.filter(isOnRenamedColumn).flatMap(({ key }) => getTable(key) ?? []));
  return changes.some(
    (change) =>
      renamed.has(getTable(change.key) ?? '') &&
      change.key.kind === 'table' &&
      changesSqlWithDeletions({
        change,
        expressions: changes.filter(({ key }) => getTable(key) === getTable(change.key)),
      }),
  );
};

const getTable = (key: ItemKey): string | undefined => ('table' in key ? key.table : undefined);
