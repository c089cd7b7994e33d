import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { createConflictBase } from '../../documents/conflictBase.ts';

const t = vscode.l10n.t;

/** A file in conflict, with the texts that it would have if one of the sides won. */
export interface MergedFile {
  readonly file: vscode.Uri;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Opens the editor's merge editor on the conflicts of a file, and waits until none is left in the saved file.
 * @param texts receives the texts of the versions by their URIs; the merge editor then requests them
 * @returns whether all conflicts are resolved; if the merge editor was closed before, an unchanged file is as it was
 */
export async function mergeConflict(texts: Map<string, string>, sides: MergedFile): Promise<boolean> {
  const { file } = sides;
  const document = await vscode.workspace.openTextDocument(file);
  const before = document.getText();
  const comment = createComment(file);
  // An earlier merge may have been saved before it was finished.
  const [ours, theirs] = [removeLine(sides.ours, comment), removeLine(sides.theirs, comment)];
  const base = createConflictBase(ours, theirs, comment);
  // The result of a merge editor starts as its base.
  if (!(await replaceText(document, base))) {
    return false;
  }
  const addVersion = (name: string, text: string): vscode.Uri => {
    const query = `${name}-${Date.now()}`;
    const uri = vscode.Uri.from({ scheme: schemes.projectVersion, path: file.path, query });
    texts.set(String(uri), text);
    return uri;
  };
  const versions = [
    addVersion('base', base),
    addVersion('theirs', theirs),
    addVersion('ours', ours),
  ] as const;
  const mergeEnd = waitForMerge(document, comment);
  try {
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: versions[0],
      input1: { uri: versions[1], title: t('Instance') },
      input2: { uri: versions[2], title: t('Yours') },
      output: file,
    });
    await mergeEnd.promise;
    const isResolved = !hasConflicts(document.getText(), comment);
    if (document.getText() === base) {
      await replaceText(document, before);
    }
    return (!document.isDirty || (await document.save())) && isResolved;
  } finally {
    mergeEnd.dispose();
    versions.forEach((uri) => texts.delete(String(uri)));
  }
}

/** Waits until the document is saved without conflicts, or the merge editor that is opened next is closed. */
function waitForMerge(
  document: vscode.TextDocument,
  comment: string,
): Disposable & { promise: Promise<void> } {
  const store = new DisposableStore();
  const mergeTabs = new Set<vscode.Tab>();
  const promise = new Promise<void>((resolve) => {
    store.add(
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved === document && !hasConflicts(document.getText(), comment)) {
          resolve();
        }
      }),
    );
    store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        opened.filter(isMergeTab).forEach((tab) => mergeTabs.add(tab));
        if (closed.some((tab) => mergeTabs.has(tab))) {
          resolve();
        }
      }),
    );
  });
  return { promise, dispose: () => store.dispose() };
}

/** The API has no type for tabs with merge editors. */
const isMergeTab = ({ input }: vscode.Tab): boolean =>
  input === undefined || (typeof input === 'object' && input !== null && 'result' in input);

/** Returns the line that marks a conflict: a comment, so that a text that is saved with it stays valid. */
function createComment({ path }: vscode.Uri): string {
  const text = t('Conflict: accept the version of the instance, yours, or both.');
  return path.endsWith('.sql') ? `-- ${text}` : `// ${text}`;
}

const removeLine = (text: string, line: string): string =>
  text.replaceAll(`${line}\r\n`, '').replaceAll(`${line}\n`, '');

const hasConflicts = (text: string, comment: string): boolean => text.split(/\r?\n/).includes(comment);

async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  return vscode.workspace.applyEdit(edit);
}
