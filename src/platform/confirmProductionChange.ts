import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { toPlainText } from './serverText.ts';

/**
 * Asks the user to type the name of a production instance before a large change. Returns whether the change may
 * proceed, which is always true for other instances.
 */
export async function confirmProductionChange(
  connections: ConnectionStore,
  connectionId: string,
  title: string,
): Promise<boolean> {
  const connection = connections.find(connectionId);
  if (connection?.role !== 'production') {
    return true;
  }
  const { name } = connection;
  const typedName = await vscode.window.showInputBox({
    title,
    prompt: toPlainText(vscode.l10n.t('This is a production instance. Type {0} to confirm.', name)),
    ignoreFocusOut: true,
    validateInput: (text) => (text === name ? undefined : vscode.l10n.t('Type the name of the connection.')),
  });
  return typedName === name;
}
