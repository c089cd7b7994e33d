import * as vscode from 'vscode';
import type { Datamodel } from '../../contract/datamodel.ts';
import { formatDatamodelType } from '../../platform/labels.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { FormsDeps } from './deps.ts';
import { keepOpenOnFocusLoss } from './quickPickOptions.ts';

/** Lets the user pick a datamodel of a connection; `undefined` if the user canceled. */
export async function pickDatamodel(
  { sessions }: FormsDeps,
  connectionId: string | undefined,
): Promise<Pick<Datamodel, 'title' | 'type' | 'server'> | undefined> {
  if (connectionId === undefined) {
    await showInformation(vscode.l10n.t('No connection found. Add a connection or start the sandbox.'));
    return undefined;
  }
  const items = sessions
    .get(connectionId)
    .then(({ catalog }) => catalog.readable.datamodels())
    .then(({ value: datamodels }) =>
      datamodels.map((datamodel) => ({
        label: toPlainText(datamodel.title),
        description: formatDatamodelType(datamodel),
        datamodel,
      })),
    );
  const selectedItem = await vscode.window.showQuickPick(items, {
    ...keepOpenOnFocusLoss,
    title: vscode.l10n.t('Select Datamodel'),
    placeHolder: vscode.l10n.t('Select the datamodel that contains the tables and columns'),
  });
  return selectedItem?.datamodel;
}
