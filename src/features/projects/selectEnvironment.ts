import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { findEnvironmentConnection } from '../../platform/projects/environments.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import type { ProjectDeps } from './deps.ts';
import { describeEnvironment } from './environmentLabels.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';

const t = vscode.l10n.t;

interface EnvironmentItem extends vscode.QuickPickItem {
  readonly folder?: vscode.Uri;
  readonly environment?: ListedEnvironment;
  /** Whether it's the environment that the project is compared with. */
  readonly isShown?: boolean;
}

/** Asks which environment of which project to show. */
export async function selectEnvironment(deps: ProjectDeps, projects: WorkspaceProjects): Promise<void> {
  const listed = await Promise.all(
    projects.folders.map(async (folder) => ({ folder, environments: await listEnvironments(folder.fsPath) })),
  );
  const items = listed.flatMap(({ folder, environments }): readonly EnvironmentItem[] => [
    {
      label: toPlainText(vscode.workspace.asRelativePath(folder, true)),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...environments.map((environment) => createItem(deps, projects, { folder, environment })),
  ]);
  if (items.every(({ environment }) => environment === undefined)) {
    await showInformation(
      t('The workspace has no project with an environment. Pull from a connection first.'),
    );
    return;
  }
  const picked = await pickItem(items);
  if (picked?.folder !== undefined && picked.environment !== undefined) {
    await projects.select(picked.folder, picked.environment.name);
  }
}

/** Lets the user pick an environment. The focus is first on the one that is shown. */
function pickItem(items: readonly EnvironmentItem[]): Promise<EnvironmentItem | undefined> {
  const store = new DisposableStore();
  const quickPick = store.add(vscode.window.createQuickPick<EnvironmentItem>());
  quickPick.title = t('Select Environment');
  quickPick.placeholder = t('Select the environment to compare the project with');
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = items;
  quickPick.activeItems = items.filter(({ isShown }) => isShown === true).slice(0, 1);
  return new Promise((resolve) => {
    const close = (item?: EnvironmentItem): void => {
      resolve(item);
      store.dispose();
    };
    store.add(quickPick.onDidAccept(() => close(quickPick.selectedItems[0])));
    store.add(quickPick.onDidHide(() => close()));
    quickPick.show();
  });
}

function createItem(
  deps: ProjectDeps,
  projects: WorkspaceProjects,
  { folder, environment }: { readonly folder: vscode.Uri; readonly environment: ListedEnvironment },
): EnvironmentItem {
  const { name } = environment;
  const connection = findEnvironmentConnection(deps, environment);
  const isShown = projects.findByFolder(String(folder))?.environment.name === name;
  return {
    label: `${isShown ? '$(check) ' : ''}${toPlainText(name)}`,
    ...describeEnvironment(environment, connection),
    folder,
    environment,
    isShown,
  };
}
