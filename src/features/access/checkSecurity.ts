import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { auditInstance, type InstanceAudit } from './auditInstance.ts';
import { AuditPanel, type AuditServices } from './auditPanel.ts';
import type { AccessFeatureDeps } from './deps.ts';

/** Audits a connection, which the user picks if none was passed, and shows the result as a page and in Problems. */
export async function checkSecurity(
  deps: AccessFeatureDeps,
  services: AuditServices,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const connection = await resolveTargetConnection(deps, target, {
    title: vscode.l10n.t('Check Security'),
    placeholder: vscode.l10n.t('Select the connection to check'),
  });
  if (connection === undefined) {
    return;
  }
  const audit = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: toPlainText(vscode.l10n.t('Checking the security of {0}', connection.name)),
      cancellable: true,
    },
    (progress, token) => runAudit(deps, connection, { progress, token }),
  );
  await AuditPanel.show(deps, services, audit);
}

async function runAudit(
  { sessions, clock, log }: AccessFeatureDeps,
  connection: Connection,
  {
    progress,
    token,
  }: { readonly progress: vscode.Progress<{ message: string }>; readonly token: vscode.CancellationToken },
): Promise<InstanceAudit> {
  const abortController = new AbortController();
  const subscription = token.onCancellationRequested(() =>
    abortController.abort(new vscode.CancellationError()),
  );
  try {
    const session = await sessions.get(connection.id);
    return await auditInstance({
      session,
      signal: abortController.signal,
      clock,
      log,
      reportProgress: (message) => progress.report({ message }),
    });
  } finally {
    subscription.dispose();
  }
}
