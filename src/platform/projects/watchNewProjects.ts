import { projectFileName } from '../../project/projectFileName.ts';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { watchNewFolders } from './watchNewFolders.ts';

/**
 * Watches for projects that come into the workspace, and for what may be one: look for them then. The watchers of some
 * systems miss what is in a new folder; the project of a file is found when the file is opened or shown, too.
 * @param getFolders returns the folders of the known projects
 */
export function watchNewProjects(
  getFolders: () => readonly vscode.Uri[],
  onMayHaveAppeared: () => void,
): Disposable {
  const store = new DisposableStore();
  const checkShown = async (uri: vscode.Uri | undefined): Promise<void> => {
    const folder = uri && (await findProjectFolder(uri));
    if (folder !== undefined && !store.isDisposed && !getFolders().some(({ path }) => path === folder.path)) {
      onMayHaveAppeared();
    }
  };
  const watcher = store.add(
    vscode.workspace.createFileSystemWatcher(`**/${projectFileName}`, false, true, true),
  );
  store.add(watcher.onDidCreate(onMayHaveAppeared));
  store.add(watchNewFolders(onMayHaveAppeared));
  // Reported at once, and on all systems.
  store.add(vscode.workspace.onDidRenameFiles(onMayHaveAppeared));
  store.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => void checkShown(uri)));
  store.add(vscode.window.onDidChangeActiveTextEditor((editor) => void checkShown(editor?.document.uri)));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(onMayHaveAppeared));
  return store;
}

const getParent = (uri: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(uri, '..');

/** Returns the innermost folder of the workspace that a file or folder is in and that has a project. */
async function findProjectFolder(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const parent = getParent(uri);
  if (parent.path === uri.path || vscode.workspace.getWorkspaceFolder(parent) === undefined) {
    return undefined;
  }
  return (await isProject(parent)) ? parent : findProjectFolder(parent);
}

/** Returns whether a folder has a project; a file has none. */
async function isProject({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') {
    return false;
  }
  try {
    await access(join(fsPath, projectFileName));
    return true;
  } catch {
    // Not there, or nothing that could be read as a project.
    return false;
  }
}
