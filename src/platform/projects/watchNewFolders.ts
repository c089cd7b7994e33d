import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/**
 * Watches for folders that are created in the workspace, or moved into it. The editor may not report the files that a
 * folder had before the editor watched it, such as after a checkout, so the callback has to search the folder.
 */
export function watchNewFolders(onCreate: () => void): Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**', false, true, true);
  let created: vscode.Uri[] = [];
  const report = async (): Promise<void> => {
    const uris = created;
    created = [];
    for (const uri of uris) {
      if (await isFolder(uri)) {
        onCreate();
        return;
      }
    }
  };
  watcher.onDidCreate((uri) => {
    created.push(uri);
    // The editor reports many folders at once, and a single call is enough for all of them.
    if (created.length === 1) {
      queueMicrotask(() => void report());
    }
  });
  return watcher;
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // It's gone again, or can't be read: then a search for files in it would find nothing either.
    return false;
  }
}
