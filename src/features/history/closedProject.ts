import * as vscode from 'vscode';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { SecretsNeededError } from '../../changes/run/writeErrors.ts';
import { showError } from '../../platform/messages.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { isProjectOpen } from './endInterruptedChange.ts';
import { getEntryTitle } from './historyLabels.ts';

const t = vscode.l10n.t;

/**
 * Explains why an apply can't be finished if it needs secrets and its project isn't open: they come from the
 * environment file of the project (docs/projects.md, "Connections"). Offers to open its folder in a new window. Doesn't
 * wait until the notification is closed.
 * @param error why the apply wasn't finished
 * @returns whether the error has this reason, so that it was explained
 */
export async function explainClosedProject(
  { connections }: Pick<HistoryFeatureDeps, 'connections'>,
  entry: HistoryEntry,
  error: unknown,
): Promise<boolean> {
  const { project, connectionId } = entry.operation;
  const needsSecrets = error instanceof Error && error.cause instanceof SecretsNeededError;
  // A project has no environment file for the embedded sandbox.
  const hasEnvironment = project !== undefined && connections.find(connectionId)?.kind === 'remote';
  if (!needsSecrets || !hasEnvironment || isProjectOpen(entry)) {
    return false;
  }
  const title = getEntryTitle(entry);
  const folder = vscode.Uri.file(project.folder);
  if (vscode.workspace.getWorkspaceFolder(folder) !== undefined) {
    const text = t(
      'Can\'t finish "{0}": the history contains no secrets, and the files of the project aren\'t used in Restricted Mode. Trust the workspace, and then finish the change.',
      title,
    );
    void offer(text, t('Manage Workspace Trust'), 'workbench.trust.manage');
  } else if (await isFolder(folder)) {
    const text = t(
      'Can\'t finish "{0}": the history contains no secrets, and the folder of the project isn\'t open. Open {1}, and finish the change there.',
      title,
      folder.fsPath,
    );
    void offer(text, t('Open Folder'), 'vscode.openFolder', folder, { forceNewWindow: true });
  } else {
    const text = t(
      'Can\'t finish "{0}": the history contains no secrets, and the folder of the project doesn\'t exist anymore: {1}. Restore and open it, or roll the change back.',
      title,
      folder.fsPath,
    );
    void showError(text);
  }
  return true;
}

async function offer(text: string, label: string, command: string, ...args: unknown[]): Promise<void> {
  if ((await showError(text, label)) === label) {
    await vscode.commands.executeCommand(command, ...args);
  }
}

async function isFolder(folder: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(folder)).type & vscode.FileType.Directory) !== 0;
  } catch {
    return false;
  }
}
