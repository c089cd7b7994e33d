import * as vscode from 'vscode';
import {
  createColumnDescriptionOperation,
  createTableDescriptionOperation,
} from '../../changes/operations/tableActions.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import { getTableName } from '../../contract/table.ts';
import type { TreeTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { findNearest, toResourceTarget } from '../../platform/treeTarget.ts';
import { createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import type { ResourcesDeps } from './deps.ts';
import { fetchTableDocument } from './fetchTableDocument.ts';
import { pickTable } from './pickResource.ts';

const t = vscode.l10n.t;

/** Asks for the description of a table or column, starting from the current one; an empty text removes it. */
export async function editDescription(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickTable(deps, t('Edit Description'), node);
  if (selection === undefined) {
    return;
  }
  const { location, table, tableIds } = selection;
  const document = await fetchTableDocument(deps, location.connectionId, tableIds);
  const columnTarget = node && findNearest(node, 'column');
  if (columnTarget === undefined) {
    const name = getTableName(table);
    const description = await promptForDescription(name, getText(document['description']));
    if (description !== undefined) {
      await deps.changeReview.perform(createTableDescriptionOperation(location, tableIds, name, description));
    }
    return;
  }
  const { columnId } = columnTarget.resource;
  const column = getObjects(document['columns']).find(({ oid }) => oid === columnId);
  const description = await promptForDescription(columnTarget.name, getText(column?.['description']));
  if (description !== undefined) {
    // Read again: all columns are sent, and they may have changed while the text was typed.
    const currentDocument = await fetchTableDocument(deps, location.connectionId, tableIds);
    await deps.changeReview.perform(
      createColumnDescriptionOperation(location, tableIds, currentDocument, columnId, description),
    );
  }
}

const promptForDescription = async (name: string, description: string): Promise<string | undefined> => {
  const form = await runWizard<{ readonly description: string }>(
    [
      createTextStep('description', () => ({
        title: t('Description of {0}', name),
        prompt: t('Description (leave empty to remove it)'),
      })),
    ],
    { description },
  );
  // Without a change there is nothing to send.
  return form?.description === description ? undefined : form?.description;
};

/** Opens a table as JSON at its connector options, which differ by connector (rest-api.md, "Table"). */
export async function editConnectorOptions(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const target = node && toResourceTarget(node);
  if (target?.resource.kind === 'table') {
    await runCommand('datamodelStudio.documents.open', { ...target, path: ['configOptions'] });
    return;
  }
  const selection = await pickTable(deps, t('Edit Connector Options'), node);
  if (selection !== undefined) {
    const { location, table, tableIds } = selection;
    await runCommand('datamodelStudio.documents.open', {
      ...location,
      resource: { kind: 'table', ...tableIds },
      name: getTableName(table),
      path: ['configOptions'],
    });
  }
}
