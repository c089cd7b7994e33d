import * as vscode from 'vscode';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import type { BuildsDeps } from './deps.ts';

/**
 * Asks whether to publish live datamodels, since users query the published version immediately. Returns false if the
 * user cancels.
 */
export async function confirmPublish(
  { connections }: BuildsDeps,
  connectionId: string,
  titles: readonly string[],
): Promise<boolean> {
  const connection = connections.find(connectionId);
  const [title = ''] = titles;
  const connectionName = connection?.name ?? connectionId;
  const question =
    titles.length === 1
      ? vscode.l10n.t('Publish {0} on {1}?', title, connectionName)
      : vscode.l10n.t('Publish {0} live datamodels on {1}?', titles.length, connectionName);
  const detail = [
    ...(titles.length === 1 ? [] : [`${titles.join(', ')}.`]),
    ...(connection === undefined ? [] : [vscode.l10n.t('Role: {0}.', getRoleLabel(connection.role))]),
    vscode.l10n.t("Users will query the new version as soon as it's published."),
  ];
  const publishLabel = vscode.l10n.t('Publish');
  return (await showModalQuestion(question, detail, publishLabel)) === publishLabel;
}
