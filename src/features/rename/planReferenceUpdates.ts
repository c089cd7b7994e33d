import { isTableUpdate } from '../../changes/model/tableWrites.ts';
import type { Plan } from '../../changes/model/plan.ts';
import { planSavedRenames } from '../../changes/plan/rename/planRename.ts';
import { findRenames } from '../../changes/model/tableRenames.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import { getAllTables } from '../../changes/plan/rename/renameOperation.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { Write } from '../../changes/model/operation.ts';
import { getCubeSetSubjects } from '../../connections/cubeSetSubjects.ts';
import { readRenameState } from '../../changes/plan/readRenameState.ts';
import { askForExcludedReferences } from './askForExcludedReferences.ts';
import type { RenameDeps } from './deps.ts';
import { withProgress } from './progress.ts';
import * as vscode from 'vscode';

const t = vscode.l10n.t;

/**
 * Plans the additional writes of a save that renames a table or some of its columns: they update the references that
 * the user chose. Returns no writes if the save renames nothing.
 * @returns `cancel` if the user canceled
 */
export async function planReferenceUpdates(
  { connections, sessions }: Pick<RenameDeps, 'connections' | 'sessions'>,
  { operation, changed }: Plan,
): Promise<readonly Write[] | 'cancel'> {
  const [write] = operation.writes;
  const isRename = changed.some(
    ({ kind, fields }) =>
      (kind === 'table' || kind === 'column') && fields.some(({ field }) => field === 'name'),
  );
  if (write === undefined || !isTableUpdate(write) || operation.writes.length !== 1 || !isRename) {
    return [];
  }
  const { client, catalog } = await sessions.get(operation.connectionId);
  const { datamodelId = '', tableId = '' } = write.params;
  const subjects = getCubeSetSubjects(connections.find(operation.connectionId));
  const cubeSets = { subjects, tableId, namedDatamodels: catalog.namedDatamodels };
  const state = await withProgress(t('Finding references to {0}…', operation.subject.name), (signal) =>
    readRenameState(client, datamodelId, { cubeSets, signal }),
  );
  const oldTable = state && getAllTables(state.model).find(({ oid }) => oid === tableId);
  const renames = oldTable === undefined ? [] : findRenames(write, oldTable);
  if (state === undefined || oldTable === undefined || renames.length === 0) {
    return [];
  }
  const { references } = planSavedRenames(state, operation, { renames });
  if (references.length === 0) {
    return [];
  }
  const names = renames.map(({ columnId, newName }) => {
    const column = getObjects(oldTable['columns']).find(({ oid }) => oid === columnId);
    const oldName = (columnId === undefined ? oldTable : column)?.['name'];
    return t('{0} to {1}', toPlainText(getText(oldName)), toPlainText(newName));
  });
  const excludedKeys = await askForExcludedReferences(t('Rename {0}', names.join(', ')), references);
  if (excludedKeys === undefined) {
    return 'cancel';
  }
  const { operation: extendedOperation } = planSavedRenames(state, operation, {
    renames,
    excludedKeys,
  });
  return extendedOperation.writes.slice(operation.writes.length);
}
