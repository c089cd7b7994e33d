import * as vscode from 'vscode';
import { createRelationCreationOperation } from '../../changes/model/relationWrites.ts';
import { minRelationColumns } from '../../contract/datamodel.ts';
import type { RelationTarget } from '../../contributions.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { getTypeNote, haveSameType, pickRelationColumn, pickRelationTable } from './pickRelationEnd.ts';
import { pickDatamodelOfNode } from './pickResource.ts';
import { type JoinableColumn, type RelationTable, loadRelationTables } from './relationEnds.ts';

const t = vscode.l10n.t;

/** Asks for two or more columns to join, and creates a relation. Columns passed with the target are not asked for. */
export async function addRelation(deps: ResourcesDeps, target?: RelationTarget): Promise<void> {
  const selection = await pickDatamodelOfNode(deps, t('New Relation'), target);
  if (selection === undefined) {
    return;
  }
  const { location, datamodel } = selection;
  const title = t('New Relation in {0}', datamodel.title);
  const tables = await loadRelationTables(deps, location.connectionId, datamodel.oid);
  const joinedColumns = await pickInitialColumns(tables, getPassedColumns(target), title);
  if (joinedColumns === undefined) {
    return;
  }
  for (;;) {
    const table = await pickRelationTable(tables, joinedColumns, {
      title,
      placeHolder:
        joinedColumns.length === 0
          ? t('Select the first table')
          : t('{0} = … (select the next table)', joinedColumns.map(({ label }) => label).join(' = ')),
      otherItems: createFinishItems(joinedColumns),
    });
    if (table === undefined) {
      return;
    }
    if (table === 'other') {
      break;
    }
    const joinedColumn = await pickRelationColumn(table, joinedColumns, title);
    if (joinedColumn === undefined) {
      return;
    }
    joinedColumns.push(joinedColumn);
  }
  const name = joinedColumns.map((end) => end.tableName).join(' – ');
  const operation = createRelationCreationOperation(location, datamodel.oid, joinedColumns, name);
  if (target?.skipReveal === true) {
    await deps.changeReview.perform(operation);
    return;
  }
  await createAndReveal(deps, operation, (relationId) => ({
    kind: 'relation',
    datamodelId: datamodel.oid,
    relationId,
  }));
}

/** Returns the columns passed by a node or a diagram; a table may be passed without its column. */
function getPassedColumns(target: RelationTarget | undefined): NonNullable<RelationTarget['ends']> {
  const { ends, resource } = target ?? {};
  if (ends !== undefined) {
    return ends;
  }
  if (resource?.kind === 'column') {
    return [{ table: resource.tableId, column: resource.columnId }];
  }
  return resource?.kind === 'table' ? [{ table: resource.tableId }] : [];
}

/**
 * Returns the columns that the relation starts with; asks for the column of a table if none was passed or it no longer
 * exists.
 */
async function pickInitialColumns(
  tables: readonly RelationTable[],
  passedColumns: NonNullable<RelationTarget['ends']>,
  title: string,
): Promise<JoinableColumn[] | undefined> {
  const ends: JoinableColumn[] = [];
  for (const { table: tableId, column } of passedColumns) {
    const table = tables.find(({ id }) => id === tableId) ?? { id: tableId, name: tableId, columns: [] };
    const end =
      table.columns.find((end) => end.column === column) ?? (await pickRelationColumn(table, ends, title));
    if (end === undefined) {
      return undefined;
    }
    ends.push(end);
  }
  return ends;
}

/**
 * Creates the item that completes the relation once there are enough columns (rest-api.md, "Limits"). Columns of
 * different types do not prevent this, but are noted in the item.
 */
function createFinishItems(ends: readonly JoinableColumn[]): readonly vscode.QuickPickItem[] {
  if (ends.length < minRelationColumns) {
    return [];
  }
  return [
    {
      label: `$(check) ${t('Create Relation')}`,
      description: toPlainText(ends.map(({ label }) => label).join(' = ')),
      ...(haveSameType(ends) ? {} : { detail: getTypeNote() }),
      alwaysShow: true,
    },
  ];
}
