import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { createConflictBase } from '../../documents/conflictBase.ts';
import { showWarning } from '../../platform/messages.ts';
import { conflictCommentStart, findConflictMarker } from '../../project/files/conflictMarkers.ts';
import type { UnfinishedMerges } from './unfinishedMerges.ts';
import { closeMergeEditors, isMergeTab } from './mergeEditors.ts';
import { MergeResultFile } from './mergeResult.ts';

const t = vscode.l10n.t;

/** The texts and results that all merges of the window share. */
export interface MergeContext {
  /** Receives the texts of the versions to merge by their URIs; the editor then requests them. */
  readonly versionTexts: Map<string, string>;
  readonly unfinishedMerges: UnfinishedMerges;
}

/** A file in conflict, with the texts that it would have if all conflicts were resolved in favor of one side. */
export interface ConflictingFile<T> {
  readonly file: vscode.Uri;
  readonly ours: string;
  readonly theirs: string;
  /** Returns why a text without conflict markers is not valid for the file; `undefined` if it is valid. */
  readonly findProblem: (text: string) => Promise<string | undefined>;
  /** Records that the conflicts of the written file are resolved; `undefined` if a message says why that failed. */
  readonly resolve: () => Promise<T | undefined>;
}

/**
 * Opens the editor's merge editor on the conflicts of a file, and waits until it is closed. Whenever a result without
 * conflicts is saved, the file is written; the first time, the conflicts are also recorded as resolved. A result with
 * conflicts is stored for the next merge of the same versions.
 * @returns the result of `resolve`; `undefined` if no result without conflicts was saved
 */
export async function mergeConflict<T>(
  { versionTexts, unfinishedMerges }: MergeContext,
  { file, ours, theirs, findProblem, resolve }: ConflictingFile<T>,
): Promise<T | undefined> {
  const base = createConflictBase(ours, theirs, createConflictComment(file));
  const store = new DisposableStore();
  const addVersion = (name: string, text: string): vscode.Uri => {
    const query = `${name}-${Date.now()}`;
    const uri = vscode.Uri.from({ scheme: schemes.projectVersion, path: file.path, query });
    versionTexts.set(String(uri), text);
    store.add({ dispose: () => versionTexts.delete(String(uri)) });
    return uri;
  };
  let textsBefore = await readTexts(file);
  let resolution: T | undefined;
  let writtenText: string | undefined;
  const save = async (text: string): Promise<void> => {
    if (findConflictMarker(text) !== undefined || text === writtenText) {
      return;
    }
    const problem = (await findProblem(text)) ?? (await writeResult(file, textsBefore, text));
    if (problem !== undefined) {
      throw vscode.FileSystemError.Unavailable(problem);
    }
    resolution ??= await resolve();
    textsBefore = await readTexts(file);
    writtenText = resolution === undefined ? undefined : text;
  };
  try {
    // The merge editor of an earlier merge may still be open.
    await closeMergeEditors();
    const result = store.add(new MergeResultFile(file, unfinishedMerges.find(file, base) ?? base, save));
    store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (String(document.uri) === String(result.uri)) {
          // Stored at once, since the editor loses the result when the window is reloaded.
          unfinishedMerges.keep(file, base, document.getText());
        }
      }),
    );
    const editorClose = store.add(waitForMergeEditorClose());
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: addVersion('base', base),
      input1: { uri: addVersion('theirs', theirs), title: t('Server') },
      input2: { uri: addVersion('ours', ours), title: t('Yours') },
      output: result.uri,
    });
    await editorClose.promise;
    if (resolution === undefined) {
      unfinishedMerges.keep(file, base, result.text);
    } else {
      unfinishedMerges.forget(file);
    }
    if (resolution !== undefined && result.text !== writtenText) {
      await showWarning(
        t(
          '{0} has the last version that you saved without conflicts. Later changes in the merge editor were discarded.',
          vscode.workspace.asRelativePath(file),
        ),
      );
    }
    return resolution;
  } finally {
    store.dispose();
  }
}

/** Waits until the merge editor that is opened after the call is closed. */
function waitForMergeEditorClose(): Disposable & { promise: Promise<void> } {
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

/** Returns the line that marks a conflict: a comment, so that the text stays valid. Validation reports it. */
function createConflictComment({ path }: vscode.Uri): string {
  const text = t("Conflict: accept the server's version or yours, or edit the result.");
  return `${path.endsWith('.sql') ? '--' : '//'} ${conflictCommentStart}${text}`;
}

/** The text of a file in the editor, and on disk. */
interface FileTexts {
  readonly inEditor: string;
  readonly onDisk: string;
}

const readTexts = async (file: vscode.Uri): Promise<FileTexts> => ({
  inEditor: (await vscode.workspace.openTextDocument(file)).getText(),
  onDisk: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)),
});

/**
 * Writes the result of a merge, unless the file was changed while it was merged.
 * @returns why it was not written; `undefined` if it was
 */
async function writeResult(
  file: vscode.Uri,
  textsBefore: FileTexts,
  text: string,
): Promise<string | undefined> {
  const name = vscode.workspace.asRelativePath(file);
  const textsNow = await readTexts(file);
  if (textsNow.inEditor !== textsBefore.inEditor || textsNow.onDisk !== textsBefore.onDisk) {
    return t('{0} was changed while it was being merged. Merge it again.', name);
  }
  const document = await vscode.workspace.openTextDocument(file);
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(textsNow.inEditor.length);
  edit.replace(file, new vscode.Range(new vscode.Position(0, 0), end), text);
  const isWritten =
    (await vscode.workspace.applyEdit(edit)) && (!document.isDirty || (await document.save()));
  return isWritten ? undefined : t("{0} couldn't be saved. Save it, and then merge it again.", name);
}
