import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { createConflictBase } from '../../documents/conflictBase.ts';
import { showWarning } from '../../platform/messages.ts';
import { conflictCommentStart, findConflictMarker } from '../../project/files/conflictMarkers.ts';
import { closeMergeEditors, isMergeTab } from './mergeEditors.ts';
import { MergeResult } from './mergeResult.ts';

const t = vscode.l10n.t;

/** A file in conflict, with the texts that it would have if one of the sides won. */
export interface MergedFile {
  readonly file: vscode.Uri;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Opens the editor's merge editor on the conflicts of a file, and waits until it is closed. The file itself is written
 * only then, and only if no conflict is left.
 * @param texts receives the texts of the versions by their URIs; the merge editor then requests them
 * @returns whether all conflicts are resolved; otherwise, the file is as it was
 */
export async function mergeConflict(
  texts: Map<string, string>,
  { file, ours, theirs }: MergedFile,
): Promise<boolean> {
  const before = (await vscode.workspace.openTextDocument(file)).getText();
  const base = createConflictBase(ours, theirs, createComment(file));
  const store = new DisposableStore();
  const addVersion = (name: string, text: string): vscode.Uri => {
    const query = `${name}-${Date.now()}`;
    const uri = vscode.Uri.from({ scheme: schemes.projectVersion, path: file.path, query });
    texts.set(String(uri), text);
    store.add({ dispose: () => texts.delete(String(uri)) });
    return uri;
  };
  try {
    // An earlier merge may have been left open.
    await closeMergeEditors();
    const result = store.add(new MergeResult(file, base));
    const mergeEnd = store.add(waitForMerge());
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: addVersion('base', base),
      input1: { uri: addVersion('theirs', theirs), title: t('Instance') },
      input2: { uri: addVersion('ours', ours), title: t('Yours') },
      output: result.uri,
    });
    await mergeEnd.promise;
    return findConflictMarker(result.text) === undefined && (await writeResult(file, before, result.text));
  } finally {
    store.dispose();
  }
}

/** Waits until the merge editor that is opened next is closed. */
function waitForMerge(): Disposable & { promise: Promise<void> } {
  const store = new DisposableStore();
  const promise = new Promise<void>((resolve) => {
    store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(isMergeTab)) {
          resolve();
        }
      }),
    );
  });
  return { promise, dispose: () => store.dispose() };
}

/** Returns the line that marks a conflict: a comment, so that the text stays valid. Validation finds it. */
function createComment({ path }: vscode.Uri): string {
  const text = t('Conflict: accept the version of the instance, yours, or both.');
  return `${path.endsWith('.sql') ? '--' : '//'} ${conflictCommentStart}${text}`;
}

/** Writes the result of a merge, unless the file was changed while it was merged. */
async function writeResult(file: vscode.Uri, before: string, text: string): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(file);
  if (document.getText() !== before) {
    await showWarning(
      t('{0} was changed while it was merged. Merge it again.', vscode.workspace.asRelativePath(file)),
    );
    return false;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(new vscode.Position(0, 0), document.positionAt(before.length)), text);
  return (await vscode.workspace.applyEdit(edit)) && (!document.isDirty || (await document.save()));
}
