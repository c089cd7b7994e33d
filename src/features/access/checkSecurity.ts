import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { auditInstance, type InstanceAudit } from './auditInstance.ts';
import type { AuditProblems } from './auditProblems.ts';
import { formatAuditReport } from './auditReport.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { toPlainText } from '../../platform/serverText.ts';

/** Audits a connection, which the user picks if none was passed, and shows the findings in the Problems view. */
export async function checkSecurity(
  deps: AccessFeatureDeps,
  problems: AuditProblems,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const connection = await resolveTargetConnection(deps, target, {
    title: vscode.l10n.t('Check Security'),
    placeholder: vscode.l10n.t('Connection to check'),
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
    (progress, token) => runAudit(deps, problems, connection, { progress, token }),
  );
  // Not awaited: the message stays open until the user dismisses it.
  void showSummary(audit, deps.clock.now());
}

async function runAudit(
  { sessions, log }: AccessFeatureDeps,
  problems: AuditProblems,
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
  const { signal } = abortController;
  try {
    const session = await sessions.get(connection.id);
    const audit = await auditInstance({
      session,
      signal,
      log,
      reportProgress: (message) => progress.report({ message }),
    });
    await problems.show(audit, signal);
    return audit;
  } finally {
    subscription.dispose();
  }
}

async function showSummary(audit: InstanceAudit, auditedAt: number): Promise<void> {
  const showReport = vscode.l10n.t('Show Report');
  const count = audit.subjects.reduce((sum, { findings }) => sum + findings.length, 0);
  const isComplete =
    audit.datamodelProblem === undefined &&
    audit.viewpointProblem === undefined &&
    audit.subjects.every(({ problem }) => problem === undefined);
  const summary =
    count === 1
      ? vscode.l10n.t('Security of {0}: one finding in Problems.', audit.connectionName)
      : vscode.l10n.t('Security of {0}: {1} findings in Problems.', audit.connectionName, count);
  const choice =
    count === 0 && isComplete
      ? await showInformation(
          vscode.l10n.t('Security of {0}: nothing was found.', audit.connectionName),
          showReport,
        )
      : await showWarning(
          isComplete ? summary : vscode.l10n.t('{0} Not everything could be read.', summary),
          showReport,
        );
  if (choice === showReport) {
    const content = formatAuditReport(audit, auditedAt);
    const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
    await vscode.window.showTextDocument(document, { preview: false });
  }
}
