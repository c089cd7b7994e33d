import * as vscode from 'vscode';
import { shownName } from '../../documents/documentAddress.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { DocumentConflict } from '../../documents/saveProblems.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { documentUri, openDocument } from './documentUri.ts';
import { shownPath } from './refusalWords.ts';
import { compare } from './serverVersions.ts';

const t = vscode.l10n.t;

/**
 * Tells that a save was stopped because the server holds something newer, where the editor's own dialog has not:
 * looking, merging and overwriting are a click away.
 */
export async function tellConflict(documents: RemoteDocuments, conflict: DocumentConflict): Promise<void> {
  const { path, base, theirs } = conflict;
  const [look, merge, overwrite] = [t('Compare'), t('Merge'), t('Overwrite')];
  const text =
    base === undefined
      ? t('It is not known what your text of {0} was made from, so it was not saved.', shownName(path))
      : t('{0} was changed on the server since you opened it, so it was not saved.', shownName(path));
  const choice = await showWarning(text, look, merge, overwrite);
  if (choice === look) {
    await compare(path, documentUri(path));
  } else if (choice === merge) {
    await mergeWithServer(documents, path);
  } else if (choice === overwrite) {
    documents.allowOverwrite(path, theirs);
    await openDocument(path)?.save();
  }
}

/** Puts what the server holds into the text that is open; what both changed is shown side by side instead. */
export async function mergeWithServer(documents: RemoteDocuments, path: string): Promise<void> {
  const document = openDocument(path);
  if (document === undefined) {
    return;
  }
  const before = document.version;
  const { text, conflicts, theirs } = await documents.merge(path, document.getText());
  if (document.version !== before) {
    await mergeWithServer(documents, path);
    return;
  }
  if (conflicts.length > 0) {
    await tellUnmerged(documents, path, { places: conflicts.map((one) => shownPath(one.path)), theirs });
    return;
  }
  if (text !== document.getText()) {
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
    edit.replace(document.uri, whole, text);
    if (!(await vscode.workspace.applyEdit(edit))) {
      // The editor refuses edits of a text that has changed meanwhile: what was not merged is not adopted.
      if (document.version !== before) {
        await mergeWithServer(documents, path);
      }
      return;
    }
  }
  documents.adopt(path, theirs);
  await showInformation(t('{0} now has the changes of both. Look at it and save it.', shownName(path)));
}

type Unmerged = { readonly places: readonly string[]; readonly theirs: DocumentConflict['theirs'] };

async function tellUnmerged(
  documents: RemoteDocuments,
  path: string,
  { places, theirs }: Unmerged,
): Promise<void> {
  await compare(path, documentUri(path));
  const overwrite = t('Overwrite');
  const shown = places.filter((place) => place !== '').join(', ') || t('the text');
  const choice = await showWarning(
    t('Both sides changed {0}. Take over on the right what you want of the left, then overwrite.', shown),
    overwrite,
  );
  if (choice === overwrite) {
    documents.allowOverwrite(path, theirs);
    await openDocument(path)?.save();
  }
}
