import { projectFileName } from '../../project/projectFileName.ts';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { watchNewFolders } from './watchNewFolders.ts';

/**
 * Watches for projects that are added to the workspace. On some systems, watchers miss the files in a new folder, so
 * opening or showing a file of an unknown project is reported, too.
 * @param getFolders returns the folders of the known projects
 * @param onMayHaveAppeared called when there may be a new project, so the caller has to search for projects
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
  // VS Code itself reports these immediately and on all systems, which watchers don't.
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

/** Returns whether a URI is the folder of a project. */
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
