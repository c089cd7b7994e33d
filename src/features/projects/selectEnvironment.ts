import * as vscode from 'vscode';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';

const t = vscode.l10n.t;

interface EnvironmentItem extends vscode.QuickPickItem {
  readonly folder?: vscode.Uri;
  readonly environment?: ListedEnvironment;
}

/** Asks which environment of which project to show. */
export async function selectEnvironment(projects: WorkspaceProjects): Promise<void> {
  const listed = await Promise.all(
    projects.folders.map(async (folder) => ({ folder, environments: await listEnvironments(folder.fsPath) })),
  );
  const items = listed.flatMap(({ folder, environments }): readonly EnvironmentItem[] => [
    {
      label: toPlainText(vscode.workspace.asRelativePath(folder, true)),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...environments.map((environment) => createItem(projects, folder, environment)),
  ]);
  if (items.every(({ environment }) => environment === undefined)) {
    await showInformation(
      t('The workspace has no project with an environment. Pull from a connection first.'),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Select Environment'),
    placeHolder: t('Select the environment to compare the project with'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.folder !== undefined && picked.environment !== undefined) {
    await projects.select(picked.folder, picked.environment.name);
  }
}

function createItem(
  projects: WorkspaceProjects,
  folder: vscode.Uri,
  environment: ListedEnvironment,
): EnvironmentItem {
  const { name, role, url } = environment;
  const isShown = projects.findByFolder(String(folder))?.environment.name === name;
  return {
    label: `${isShown ? '$(check) ' : ''}${toPlainText(name)}`,
    description: role === undefined ? '' : getRoleLabel(role),
    ...(url === undefined ? {} : { detail: toPlainText(url) }),
    folder,
    environment,
  };
}
