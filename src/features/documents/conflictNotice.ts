import * as vscode from 'vscode';
import { getDisplayName } from '../../documents/documentAddress.ts';
import { type OpenText, mergeIntoText } from '../../documents/mergeIntoText.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import type { DocumentConflictError } from '../../documents/saveProblems.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { toDocumentUri, findOpenDocument } from './documentUri.ts';
import { formatJsonPath } from './refusalMessages.ts';
import { compareDocumentWithServer } from './serverVersions.ts';

const t = vscode.l10n.t;

/**
 * Notifies the user that a save was stopped because the server has a newer version, and offers to compare, merge or
 * overwrite.
 * @returns the intent of the next save, if the document should be saved again
 */
export async function resolveConflict(
  documents: RemoteDocuments,
  conflict: DocumentConflictError,
): Promise<SaveIntent | undefined> {
  const { path, base, theirs } = conflict;
  const [compare, merge, overwrite] = [t('Compare'), t('Merge'), t('Overwrite')];
  const text =
    base === undefined
      ? t('It is not known what your text of {0} was made from, so it was not saved.', getDisplayName(path))
      : t('{0} was changed on the server since you opened it, so it was not saved.', getDisplayName(path));
  const choice = await showWarning(text, compare, merge, overwrite);
  if (choice === compare) {
    await compareDocumentWithServer(path, toDocumentUri(path));
  }
  if (choice === merge) {
    return mergeWithServer(documents, path);
  }
  return choice === overwrite ? { overwrites: theirs } : undefined;
}

/**
 * Merges the server's version into the open document. If the changes conflict, both versions are shown side by side
 * instead.
 * @returns the intent of the next save, if the document should be saved again
 */
export async function mergeWithServer(
  documents: RemoteDocuments,
  path: string,
): Promise<SaveIntent | undefined> {
  const document = findOpenDocument(path);
  if (document === undefined) {
    return undefined;
  }
  const outcome = await mergeIntoText(documents, path, toOpenText(document));
  if (outcome.kind === 'conflicts') {
    const formattedPaths = outcome.conflicts.map((conflict) => formatJsonPath(conflict.path));
    const intent = await resolveMergeConflicts(path, { formattedPaths, theirs: outcome.theirs });
    if (intent !== undefined) {
      // The user has seen this version: without this, the editor would ask about it once more.
      documents.adopt(path, outcome.theirs);
    }
    return intent;
  }
  if (outcome.kind === 'merged') {
    await showInformation(
      t('{0} now has the changes of both. Look at it and save it.', getDisplayName(path)),
    );
  } else {
    await showWarning(
      t('The editor took no changes of {0}, so nothing was merged. Try again.', getDisplayName(path)),
    );
  }
  return undefined;
}

const toOpenText = (document: vscode.TextDocument): OpenText => ({
  get text() {
    return document.getText();
  },
  get version() {
    return document.version;
  },
  async replace(text) {
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(document.getText().length);
    edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    return vscode.workspace.applyEdit(edit);
  },
});

type MergeConflicts = {
  readonly formattedPaths: readonly string[];
  readonly theirs: DocumentConflictError['theirs'];
};

async function resolveMergeConflicts(
  path: string,
  { formattedPaths, theirs }: MergeConflicts,
): Promise<SaveIntent | undefined> {
  await compareDocumentWithServer(path, toDocumentUri(path));
  const overwrite = t('Overwrite');
  const label = formattedPaths.filter((formattedPath) => formattedPath !== '').join(', ') || t('the text');
  const choice = await showWarning(
    t('Both sides changed {0}. Take over on the right what you want of the left, then overwrite.', label),
    overwrite,
  );
  return choice === overwrite ? { overwrites: theirs } : undefined;
}
