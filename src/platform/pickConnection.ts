import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { showInformation } from './messages.ts';
import { plainText } from './plainText.ts';
import { roleLabel } from './roleWords.ts';

/** Lets a person choose a connection; a single one is chosen without asking. */
export async function pickConnection(
  connections: ConnectionStore,
  placeholder: string,
): Promise<Connection | undefined> {
  const [first, second] = connections.all;
  if (first === undefined) {
    await showInformation(vscode.l10n.t('There is no connection yet. Add one, or start the sandbox.'));
    return undefined;
  }
  if (second === undefined) {
    return first;
  }
  const picked = await vscode.window.showQuickPick(
    connections.all.map((connection) => ({
      label: plainText(connection.name),
      description: roleLabel(connection.role),
      detail: connection.kind === 'remote' ? connection.url : '',
      connection,
    })),
    { title: vscode.l10n.t('Connections'), placeHolder: placeholder, matchOnDetail: true },
  );
  return picked?.connection;
}
