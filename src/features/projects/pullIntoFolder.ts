import * as vscode from 'vscode';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import type { SelectionLimits } from '../../project/settings/projectSettings.ts';
import { createNamePattern } from '../../project/source/selection.ts';
import type { ProjectDeps } from './deps.ts';
import type { MergeContext } from './mergeConflict.ts';
import { findRepositoryOffer } from './initializeRepository.ts';
import { pickEnvironment } from './pickEnvironment.ts';
import { pickPullFolder } from './pickPullFolder.ts';
import { runAndExplainErrors } from './projectErrors.ts';
import { formatPullReport, formatPullSummary, getUnreadMessages } from './pullReport.ts';
import { resolveConflicts } from './resolveConflicts.ts';
import { type CompletedPull, runPull } from './runPull.ts';
import { showReport } from './showReport.ts';

const t = vscode.l10n.t;

/** The titles of the prompts of a pull. */
interface PullTitles {
  /** The title while the connection isn't known. */
  readonly title: string;
  /** @param name that of the connection, or of the only resource to pull */
  readonly createTitle: (name: string) => string;
}

const createPullTitles = (): PullTitles => ({
  title: t('Pull into Folder'),
  createTitle: (name) => t('Pull {0} into Folder', name),
});

/**
 * Pulls an instance, a datamodel or a viewpoint into the folder of a project. Returns `undefined` if the user has
 * canceled, or if a message says why it is not possible.
 */
export async function pullIntoFolder(
  deps: ProjectDeps,
  node: TreeTarget | undefined,
  { title: connectionTitle, createTitle }: PullTitles = createPullTitles(),
): Promise<(CompletedPull & { readonly isLimited: boolean }) | undefined> {
  const connectionTarget = node?.connectionId === undefined ? undefined : { connectionId: node.connectionId };
  const connection = await resolveTargetConnection(deps, connectionTarget, {
    title: connectionTitle,
    placeholder: t('Select the connection to pull from'),
  });
  if (connection === undefined) {
    return undefined;
  }
  const limits = getSelectionLimits(node);
  const title = createTitle((limits === undefined ? undefined : node?.name) ?? connection.name);
  const folder = await pickPullFolder(title);
  if (folder === undefined) {
    return undefined;
  }
  const completed = await runAndExplainErrors(folder, async () => {
    const environment = await pickEnvironment(folder.fsPath, connection, title);
    return environment === undefined
      ? undefined
      : runPull(deps, { folder, connection, environment, limits, title });
  });
  return completed === undefined ? undefined : { ...completed, isLimited: limits !== undefined };
}

/** Returns the limits of a pull that includes only the resource of a node; `undefined` for the whole instance. */
function getSelectionLimits(node: TreeTarget | undefined): SelectionLimits | undefined {
  const kind = node?.resource?.kind;
  const patterns = [createNamePattern(node?.name ?? '')];
  return kind === 'datamodel'
    ? { datamodels: patterns }
    : kind === 'viewpoint'
      ? { viewpoints: patterns }
      : undefined;
}

/**
 * Shows the result of a pull, and resolves its conflicts if the user wants to. Offers a Git repository for a new
 * project that is in none: the editor itself stops offering one as soon as the workspace has a source control, such as
 * that of the project.
 */
export async function showPullResult(
  context: MergeContext,
  { pull, result, heading, folder, isNewProject }: CompletedPull,
): Promise<void> {
  const { conflicts, leftOutItems, orphanedRules } = result.plan;
  const isComplete =
    conflicts.length +
      leftOutItems.length +
      orphanedRules.length +
      getUnreadMessages(result).length +
      result.unsavedPaths.length ===
    0;
  const repositoryOffer = isNewProject ? await findRepositoryOffer(folder) : undefined;
  const showMessage = isComplete ? showInformation : showWarning;
  const actions = new Map<string, () => Promise<unknown>>([
    ...(conflicts.length === 0
      ? []
      : [[t('Resolve Conflicts…'), () => resolveConflicts(context, { pull, folder, conflicts })] as const]),
    [t('Show Files'), () => showFiles(folder)],
    [
      t('Show Report'),
      () =>
        showReport(
          context.versionTexts,
          t('Pull of {0}', heading.connectionName),
          formatPullReport(result, heading),
        ),
    ],
    ...(repositoryOffer === undefined ? [] : [[repositoryOffer.label, repositoryOffer.run] as const]),
  ]);
  const text = [
    formatPullSummary(result, heading),
    ...(repositoryOffer?.note === undefined ? [] : [repositoryOffer.note]),
  ].join(' ');
  const choice = await showMessage(text, ...actions.keys());
  await actions.get(choice ?? '')?.();
}

/** Reveals the folder in VS Code's Explorer if it is in the workspace; otherwise opens it in a new window. */
async function showFiles(folder: vscode.Uri): Promise<void> {
  if (vscode.workspace.getWorkspaceFolder(folder) === undefined) {
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
  } else {
    await vscode.commands.executeCommand('revealInExplorer', folder);
  }
}
