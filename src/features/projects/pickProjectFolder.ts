import * as vscode from 'vscode';
import { projectFileName } from '../../project/settings/projectSettings.ts';
import { toPlainText } from '../../platform/serverText.ts';

const t = vscode.l10n.t;

/** How many projects of the workspace are offered at most. */
const maxProjects = 50;

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for the item that opens a dialog. */
  readonly folder?: vscode.Uri;
}

/** Asks for the folder of a project: those of the workspace with a project come first, then its other folders. */
export async function pickProjectFolder(title: string): Promise<vscode.Uri | undefined> {
  const projects = await findProjects();
  const known = new Set(projects.map(String));
  const others = (vscode.workspace.workspaceFolders ?? [])
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === 'file' && !known.has(String(uri)));
  const items: readonly FolderItem[] = [
    ...projects.map((folder) => createItem(folder, 'folder-library', t('Project'))),
    ...others.map((folder) => createItem(folder, 'folder')),
  ];
  if (items.length === 0) {
    return browse(title);
  }
  const browseItem: FolderItem = { label: `$(folder-opened) ${t('Browse…')}`, alwaysShow: true };
  const picked = await vscode.window.showQuickPick([...items, browseItem], {
    title: toPlainText(title),
    placeHolder: t('Select the folder of a project'),
    matchOnDescription: true,
  });
  return picked === browseItem ? browse(title) : picked?.folder;
}

/** Finds the folders with projects in the workspace, sorted by path. */
export async function findProjects(): Promise<readonly vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(`**/${projectFileName}`, '**/node_modules/**', maxProjects);
  return files
    .filter(({ scheme }) => scheme === 'file')
    .map((file) => vscode.Uri.joinPath(file, '..'))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en'));
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
