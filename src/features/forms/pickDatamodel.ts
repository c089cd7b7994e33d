import * as vscode from 'vscode';
import type { Datamodel } from '../../contract/datamodel.ts';
import { formatDatamodelType } from '../../platform/labels.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { FormsDeps } from './deps.ts';
import type { FormNameSource } from './formNameSource.ts';
import { keepOpenOnFocusLoss } from './quickPickOptions.ts';

type PickedDatamodel = Pick<Datamodel, 'title' | 'type' | 'server'>;

/** Lets the user pick a datamodel of the project, or else of the connection; `undefined` if the user canceled. */
export async function pickFormDatamodel(
  deps: FormsDeps,
  { connectionId, projectDatamodels = [] }: Pick<FormNameSource, 'connectionId' | 'projectDatamodels'>,
): Promise<PickedDatamodel | undefined> {
  const projectCandidates = projectDatamodels.map(({ title, isLive }) => ({
    title,
    type: isLive ? 'live' : 'extract',
  }));
  if (connectionId === undefined && projectCandidates.length === 0) {
    await showInformation(vscode.l10n.t('No connections found. Add a connection or start the sandbox.'));
    return undefined;
  }
  const candidates =
    connectionId === undefined || projectCandidates.length > 0
      ? projectCandidates
      : listDatamodels(deps, connectionId);
  const items = Promise.resolve(candidates).then((datamodels) =>
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

async function listDatamodels(
  { sessions }: FormsDeps,
  connectionId: string,
): Promise<readonly PickedDatamodel[]> {
  const { catalog } = await sessions.get(connectionId);
  return (await catalog.partial.datamodels()).value;
}
