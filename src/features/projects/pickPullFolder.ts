import * as vscode from 'vscode';
import { findProjects } from '../../platform/projects/findProjects.ts';
import { toPlainText } from '../../platform/serverText.ts';

const t = vscode.l10n.t;

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for the item that opens a dialog. */
  readonly folder?: vscode.Uri;
}

/** Asks for the folder of a project. Lists the projects in the workspace, then the other workspace folders. */
export async function pickPullFolder(title: string): Promise<vscode.Uri | undefined> {
  const projects = await findProjects();
  const projectUris = new Set(projects.map(String));
  const otherFolders = (vscode.workspace.workspaceFolders ?? [])
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === 'file' && !projectUris.has(String(uri)));
  const items: readonly FolderItem[] = [
    ...projects.map((folder) => createItem(folder, 'folder-library', t('Project'))),
    ...otherFolders.map((folder) => createItem(folder, 'folder')),
  ];
  if (items.length === 0) {
    return browse(title);
  }
  const browseItem: FolderItem = { label: `$(folder-opened) ${t('Browse…')}`, alwaysShow: true };
  const pickedItem = await vscode.window.showQuickPick([...items, browseItem], {
    title: toPlainText(title),
    placeHolder: t('Select a project folder'),
    matchOnDescription: true,
  });
  return pickedItem === browseItem ? browse(title) : pickedItem?.folder;
}

const createItem = (folder: vscode.Uri, icon: string, kind?: string): FolderItem => ({
  label: `$(${icon}) ${toPlainText(folder.path.slice(folder.path.lastIndexOf('/') + 1))}`,
  description: [kind, toPlainText(vscode.workspace.asRelativePath(folder, true))]
    .filter((part) => part !== undefined)
    .join(' · '),
  folder,
});

async function browse(title: string): Promise<vscode.Uri | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: toPlainText(title),
      openLabel: t('Pull'),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
    })) ?? [];
  return folder?.scheme === 'file' ? folder : undefined;
}
