import * as vscode from 'vscode';
import { showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/plainText.ts';
import type { FormsDeps } from './deps.ts';

/** Lets a person choose one of the datamodels of the connection that is worked on. */
export async function pickDatamodel({
  current,
  sessions,
}: FormsDeps): Promise<{ readonly title: string; readonly isLive: boolean } | undefined> {
  const connection = current.value;
  if (connection === undefined) {
    await showInformation(vscode.l10n.t('There is no connection yet. Add one, or start the sandbox.'));
    return undefined;
  }
  const items = sessions
    .get(connection.id)
    .then(({ catalog }) => catalog.datamodels())
    .then((datamodels) =>
      datamodels.map(({ title, type }) => ({
        label: plainText(title),
        description: type ?? 'extract',
        title,
        isLive: type === 'live',
      })),
    );
  return vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Datamodel'),
    placeHolder: vscode.l10n.t('Datamodels of {0}', connection.name),
  });
}
