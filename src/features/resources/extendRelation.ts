import * as vscode from 'vscode';
import { createRelationExtensionOperation } from '../../changes/model/relationWrites.ts';
import type { Relation, RelationColumn } from '../../contract/datamodel.ts';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import type { ResourcesDeps } from './deps.ts';
import { pickDatamodelOfNode, pickItem } from './pickResource.ts';
import { pickRelationColumn, pickRelationTable } from './pickRelationEnd.ts';
import { type JoinableColumn, loadRelationTables } from './relationEnds.ts';

const t = vscode.l10n.t;

/** Asks for a table and one of its columns, and adds the column to a relation. */
export async function addColumnToRelation(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const title = t('Add Column to Relation');
  const selection = await pickDatamodelOfNode(deps, title, node);
  if (selection === undefined) {
    return;
  }
  const { location, datamodel } = selection;
  const { client } = await deps.sessions.get(location.connectionId);
  const tables = await loadRelationTables(deps, location.connectionId, datamodel.oid);
  const joinableColumns = tables.flatMap((table) => table.columns);
  const { value: relations } = await client.relations.list({ datamodelId: datamodel.oid });
  const nodeRelationId = node && findNearest(node, 'relation')?.resource.relationId;
  const relation =
    relations.find(({ oid }) => oid === nodeRelationId) ??
    (await pickItem(relations, {
      title,
      placeholder: t('Select the relation to extend'),
      emptyMessage: t('{0} has no relations. Create one first.', datamodel.title),
      getLabel: (candidate) => getRelationName(candidate, joinableColumns),
    }));
  if (relation === undefined) {
    return;
  }
  const columns = relation.columns ?? [];
  const joinedColumns = joinableColumns.filter((end) => columns.some((column) => isSameColumn(end, column)));
  if (tables.every(({ id }) => columns.some(({ table }) => table === id))) {
    await showInformation(t('The relation already joins all tables.'));
    return;
  }
  const columnTitle = t('Add Column to {0}', getRelationName(relation, joinableColumns));
  const table = await pickRelationTable(tables, joinedColumns, {
    title: columnTitle,
    placeHolder: t('Select the table to add'),
  });
  if (table === undefined || table === 'other') {
    return;
  }
  const pickedColumn = await pickRelationColumn(table, joinedColumns, columnTitle);
  if (pickedColumn !== undefined) {
    const ids = { datamodelId: datamodel.oid, relationId: relation.oid };
    // Read again: all columns are sent, so a column that another user has added in the meantime would be removed.
    const { value: current } = await client.relations.get(ids);
    const name = [...joinedColumns, pickedColumn].map(({ tableName }) => tableName).join(' – ');
    await deps.changeReview.perform(
      createRelationExtensionOperation(location, ids, { name, columns: current.columns ?? [] }, pickedColumn),
    );
  }
}

const isSameColumn = (end: JoinableColumn, { table, column }: RelationColumn): boolean =>
  end.table === table && end.column === column;

const getRelationName = ({ columns }: Relation, ends: readonly JoinableColumn[]): string =>
  (columns ?? []).map((column) => ends.find((end) => isSameColumn(end, column))?.label ?? '?').join(' = ');
