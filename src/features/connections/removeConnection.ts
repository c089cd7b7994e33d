import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import type { ConnectionsDeps } from './deps.ts';

/** Removes a connection with its token, pins, tenants, membership lists and history, after a confirmation. */
export async function removeConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  const removeLabel = vscode.l10n.t('Remove');
  const question = vscode.l10n.t('Remove the connection {0}?', connection.name);
  const detail = vscode.l10n.t(
    'Its token, pins, and history on this machine will be deleted. Nothing changes on the server.',
  );
  if ((await showModalQuestion(question, detail, removeLabel)) !== removeLabel) {
    return;
  }
  if (connection.kind === 'remote') {
    await deps.tokens.forget(connection.id, new URL(connection.url).origin);
  }
  await deps.connections.remove(connection.id);
  await deps.forgetConnection(connection.id);
}
