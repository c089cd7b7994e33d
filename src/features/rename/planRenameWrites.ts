import { isTableUpdate } from '../../changes/model/tableWrites.ts';
import type { Plan } from '../../changes/model/plan.ts';
import { planRenamesOfSave, getRenames } from '../../changes/plan/rename/planRename.ts';
import { getObjects, getText } from '../../changes/model/readJson.ts';
import { getAllTables } from '../../changes/plan/rename/renameOperation.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { Write } from '../../changes/model/operation.ts';
import { readRenameState } from '../../changes/plan/renameDocuments.ts';
import { pickReferences } from './pickReferences.ts';
import type { RenameDeps } from './deps.ts';
import { withProgress } from './progress.ts';
import * as vscode from 'vscode';

const t = vscode.l10n.t;

/**
 * Plans the additional writes of a save that renames a table or some of its columns: they update the references that
 * the user chose. Returns no writes if the save renames nothing.
 * @returns `cancel` if the user canceled
 */
export async function planRenameWrites(
  { sessions }: Pick<RenameDeps, 'sessions'>,
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
  const { client } = await sessions.get(operation.connectionId);
  const { datamodelId = '', tableId } = write.params;
  const state = await withProgress(t('Looking who uses {0}…', operation.subject.name), (signal) =>
    readRenameState(client, datamodelId, signal),
  );
  const before = state && getAllTables(state.model).find(({ oid }) => oid === tableId);
  const renames = before === undefined ? [] : getRenames(write, before);
  if (state === undefined || before === undefined || renames.length === 0) {
    return [];
  }
  const { parts } = planRenamesOfSave(state, operation, { renames });
  if (parts.length === 0) {
    return [];
  }
  const names = renames.map(({ columnId, to }) => {
    const column = getObjects(before['columns']).find(({ oid }) => oid === columnId);
    const from = (columnId === undefined ? before : column)?.['name'];
    return t('{0} to {1}', toPlainText(getText(from)), toPlainText(to));
  });
  const leftOut = await pickReferences(t('Rename {0}', names.join(', ')), parts);
  if (leftOut === undefined) {
    return 'cancel';
  }
  const whole = planRenamesOfSave(state, operation, { renames, leftOut });
  return whole.operation.writes.slice(operation.writes.length);
}
