import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { FolderWatcher } from '../../base/folderWatcher.ts';
import { isInItemFolder, itemFolders } from '../../project/paths.ts';
import { projectFileName } from '../../project/projectFileName.ts';
import { watchNewProjects } from './watchNewProjects.ts';

/** The files and folders of a project to watch. */
const watchedPattern = `{${[
  projectFileName,
  ...[...itemFolders, 'environments'].flatMap((folder) => [folder, `${folder}/**`]),
].join(',')}}`;

const isWatched = (path: string): boolean =>
  isInItemFolder(path) || path === projectFileName || /^environments(?:\/|$)/.test(path);

/** Watches the files of a project: what is saved, created, renamed, and deleted, in the editor or elsewhere. */
export function watchProjectFiles(folder: vscode.Uri, onChange: (uri: vscode.Uri) => void): Disposable {
  const store = new DisposableStore();
  // On Linux, if a folder is created together with folders in it, such as by a pull, the editor doesn't watch the inner
  // ones until the window is reloaded. Where the system reports nothing, the editor may still poll.
  if (process.platform === 'linux' && folder.scheme === 'file') {
    store.add(
      new FolderWatcher({ root: folder.fsPath, includes: isWatched }, (path) =>
        onChange(vscode.Uri.joinPath(folder, path)),
      ),
    );
  }
  const watcher = store.add(
    vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, watchedPattern)),
  );
  store.add(watcher.onDidCreate(onChange));
  store.add(watcher.onDidChange(onChange));
  store.add(watcher.onDidDelete(onChange));
  // Watchers are slow, and some file systems report nothing.
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => onChange(uri)));
  store.add(vscode.workspace.onDidCreateFiles(({ files }) => files.forEach(onChange)));
  store.add(vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach(onChange)));
  store.add(
    vscode.workspace.onDidRenameFiles(({ files }) =>
      files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]).forEach(onChange),
    ),
  );
  return store;
}

/**
 * Watches for events after which files may have changed outside of the editor: the window gets the focus, a command in
 * a terminal ends, or Git writes its index. Some file systems report no changes to watchers.
 */
export function watchOutsideChanges(onMayHaveChanged: () => void): Disposable {
  const store = new DisposableStore();
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        onMayHaveChanged();
      }
    }),
  );
  store.add(vscode.window.onDidEndTerminalShellExecution(onMayHaveChanged));
  // Git writes its index once the files are in place.
  const watcher = store.add(vscode.workspace.createFileSystemWatcher('**/.git/index'));
  store.add(watcher.onDidCreate(onMayHaveChanged));
  store.add(watcher.onDidChange(onMayHaveChanged));
  return store;
}

/**
 * Watches which projects and environments the workspace has.
 * @param getFolders returns the folders of the known projects
 */
export function watchProjectFolders(
  getFolders: () => readonly vscode.Uri[],
  onChange: () => void,
): Disposable {
  const store = new DisposableStore();
  store.add(watchNewProjects(getFolders, onChange));
  const watcher = store.add(
    vscode.workspace.createFileSystemWatcher(`**/{${projectFileName},environments/*.json}`),
  );
  store.add(watcher.onDidCreate(onChange));
  store.add(watcher.onDidChange(onChange));
  store.add(watcher.onDidDelete(onChange));
  // VS Code itself reports these immediately and on all systems, which watchers don't.
  store.add(vscode.workspace.onDidDeleteFiles(onChange));
  // If a folder is deleted, only the folder itself is reported, not the project in it.
  const deletions = store.add(vscode.workspace.createFileSystemWatcher('**', true, true));
  store.add(
    deletions.onDidDelete(({ path }) => {
      if (getFolders().some((folder) => `${folder.path}/`.startsWith(`${path}/`))) {
        onChange();
      }
    }),
  );
  return store;
}
