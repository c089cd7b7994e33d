import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { ProjectPull, type PullResult } from '../../project/pull/pullProject.ts';
import {
  type SelectionLimits,
  defaultProjectSettings,
  readProjectSettings,
  writeNewEnvironment,
} from '../../project/settings/projectSettings.ts';
import { createNamePattern } from '../../project/source/selection.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress, pickEnvironment } from './pickEnvironment.ts';
import { pickProjectFolder } from './pickProjectFolder.ts';
import { withPullErrors } from './pullErrors.ts';
import { type PullHeading, formatPullReport, formatSummary, getUnreadMessages } from './pullReport.ts';
import { resolveConflicts } from './resolveConflicts.ts';
import { getUnsavedPaths } from './unsavedFiles.ts';

const t = vscode.l10n.t;

/** Pulls an instance, a datamodel or a viewpoint into the folder of a project. */
export async function pullIntoFolder(
  deps: ProjectDeps,
  instanceTexts: Map<string, string>,
  node: TreeTarget | undefined,
): Promise<void> {
  const connectionTarget = node?.connectionId === undefined ? undefined : { connectionId: node.connectionId };
  const connection = await resolveTargetConnection(deps, connectionTarget, {
    title: t('Pull into Folder'),
    placeholder: t('Select the connection to pull'),
  });
  if (connection === undefined) {
    return;
  }
  const limits = getLimits(node);
  const title = t('Pull {0} into Folder', (limits === undefined ? undefined : node?.name) ?? connection.name);
  const folder = await pickProjectFolder(title);
  const completedPull =
    folder === undefined
      ? undefined
      : await withPullErrors(() => runPull(deps, { folder, connection, limits, title }));
  if (completedPull !== undefined && folder !== undefined) {
    await showResult(instanceTexts, { ...completedPull, folder });
  }
}

/** Returns the limits of a pull that includes only the resource of a node; `undefined` for the whole instance. */
function getLimits(node: TreeTarget | undefined): SelectionLimits | undefined {
  const kind = node?.resource?.kind;
  const patterns = [createNamePattern(node?.name ?? '')];
  return kind === 'datamodel'
    ? { datamodels: patterns }
    : kind === 'viewpoint'
      ? { viewpoints: patterns }
      : undefined;
}

interface CompletedPull {
  readonly pull: ProjectPull;
  readonly result: PullResult;
  readonly heading: PullHeading;
}

async function runPull(
  { sessions, log }: ProjectDeps,
  {
    folder,
    connection,
    limits,
    title,
  }: {
    readonly folder: vscode.Uri;
    readonly connection: Connection;
    readonly limits: SelectionLimits | undefined;
    readonly title: string;
  },
): Promise<CompletedPull | undefined> {
  const settings = await readProjectSettings(folder.fsPath);
  const environment = await pickEnvironment(folder.fsPath, connection, title);
  if (environment === undefined) {
    return undefined;
  }
  const progressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(title),
    cancellable: true,
  };
  return vscode.window.withProgress(progressOptions, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
    const pull = new ProjectPull(
      {
        folder: folder.fsPath,
        settings: settings ?? defaultProjectSettings,
        isNewProject: settings === undefined,
        environmentName: environment.name,
        address: getInstanceAddress(connection),
      },
      {
        ...(limits === undefined ? {} : { limits }),
        signal: abort.signal,
        log,
        getUnsavedPaths: () => getUnsavedPaths(folder.fsPath),
        onProgress: (readCount, total) =>
          progress.report({
            message: t('{0} of {1} read', readCount, total),
            increment: 100 / Math.max(1, total),
          }),
      },
    );
    const result = await pull.run(async () => (await sessions.get(connection.id)).client);
    if (environment.isNew && connection.kind === 'remote') {
      const { url, role, tenantId: tenant } = connection;
      await writeNewEnvironment(folder.fsPath, { name: environment.name, url, role, tenant });
    }
    const heading = {
      connectionName: connection.name,
      folderPath: folder.path,
      environmentName: environment.name,
    };
    return { pull, result, heading };
  });
}

async function showResult(
  instanceTexts: Map<string, string>,
  { pull, result, heading, folder }: CompletedPull & { readonly folder: vscode.Uri },
): Promise<void> {
  const { conflicts } = result.plan;
  const [resolveLabel, filesLabel, reportLabel] = [
    t('Resolve Conflicts…'),
    t('Show Files'),
    t('Show Report'),
  ];
  const isComplete = conflicts.length + getUnreadMessages(result).length + result.unsavedPaths.length === 0;
  const showMessage = isComplete ? showInformation : showWarning;
  const actions = [...(conflicts.length === 0 ? [] : [resolveLabel]), filesLabel, reportLabel];
  const choice = await showMessage(formatSummary(result, heading), ...actions);
  if (choice === resolveLabel) {
    await resolveConflicts(instanceTexts, { pull, folder, conflicts });
  } else if (choice === filesLabel) {
    await showFiles(folder);
  } else if (choice === reportLabel) {
    const content = formatPullReport(result, heading);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }
}

/** Reveals the folder in VS Code's Explorer if it is in the workspace; otherwise opens it in a new window. */
async function showFiles(folder: vscode.Uri): Promise<void> {
  if (vscode.workspace.getWorkspaceFolder(folder) === undefined) {
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
  } else {
    await vscode.commands.executeCommand('revealInExplorer', folder);
  }
}
