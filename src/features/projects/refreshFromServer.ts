import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { readLock } from '../../project/pull/lock.ts';
import {
  createSelection,
  defaultProjectSettings,
  readEnvironmentSettings,
} from '../../project/settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../../project/source/readInstance.ts';
import { markMissingViewpointsUnread } from '../../project/source/missingViewpoints.ts';
import type { ProjectDeps } from './deps.ts';
import { appendEnvironmentLabel } from './environmentLabels.ts';
import { getConnectionOrExplain } from './projectConnection.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import { runAndExplainErrors } from './projectErrors.ts';
import { describeUnreadPart } from './pullReport.ts';

const t = vscode.l10n.t;

/** Reads the instance of a project, and shows the differences. Returns false if the instance could not be read. */
export async function refreshFromServer(deps: ProjectDeps, project: ProjectSourceControl): Promise<boolean> {
  const connection = await getConnectionOrExplain(deps, project);
  if (connection === undefined) {
    return false;
  }
  await project.refreshChangedFiles();
  const { writeCount } = project;
  const reading = await runAndExplainErrors(project.folder, async () =>
    readServer(deps, project, connection),
  );
  if (reading === undefined) {
    return false;
  }
  await project.setReading(reading, writeCount);
  if (reading.failedParts.length > 0) {
    // The command doesn't wait until the message is dismissed.
    void showWarning(
      t(
        "Some items can't be read, so their status is unknown. {0}",
        reading.failedParts.map(describeUnreadPart).join(' '),
      ),
    );
  }
  return true;
}

/** @throws SettingsFileError, LockError, ApiError, and CancellationError if the user canceled */
function readServer(
  { sessions, log }: ProjectDeps,
  { folder, environment }: ProjectSourceControl,
  connection: Connection,
): Thenable<InstanceReading> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(appendEnvironmentLabel(t('Comparing with {0}', connection.name), environment)),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
    const [settings, lock, { client }] = await Promise.all([
      readEnvironmentSettings(folder.fsPath, environment.name),
      readLock(folder.fsPath, environment.name),
      sessions.get(connection.id),
    ]);
    const reading = await readInstance(client, {
      selection: createSelection(settings ?? defaultProjectSettings),
      signal: abort.signal,
      log,
      lock,
      onProgress: (readCount, total) =>
        progress.report({
          message: t('{0} of {1} read', readCount, total),
          increment: 100 / Math.max(1, total),
        }),
    });
    // The instance may never have had the viewpoints of the project, so only those in the lock file count.
    return markMissingViewpointsUnread(reading, { lock, projectItems: [] });
  });
}
