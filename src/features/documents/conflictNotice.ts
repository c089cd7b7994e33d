import * as vscode from 'vscode';
import { shownName } from '../../documents/documentAddress.ts';
import { type OpenText, mergeIntoText } from '../../documents/mergeIntoText.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import type { DocumentConflict } from '../../documents/saveProblems.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { documentUri, openDocument } from './documentUri.ts';
import { shownPath } from './refusalWords.ts';
import { compare } from './serverVersions.ts';

const t = vscode.l10n.t;

/**
 * Tells that a save was stopped because the server holds something newer, where the editor's own dialog has not:
 * looking, merging and overwriting are a click away.
 * @returns what the person decided about the next save, where there is to be one
 */
export async function tellConflict(
  documents: RemoteDocuments,
  conflict: DocumentConflict,
): Promise<SaveIntent | undefined> {
  const { path, base, theirs } = conflict;
  const [look, merge, overwrite] = [t('Compare'), t('Merge'), t('Overwrite')];
  const text =
    base === undefined
      ? t('It is not known what your text of {0} was made from, so it was not saved.', shownName(path))
      : t('{0} was changed on the server since you opened it, so it was not saved.', shownName(path));
  const choice = await showWarning(text, look, merge, overwrite);
  if (choice === look) {
    await compare(path, documentUri(path));
  }
  if (choice === merge) {
    return mergeWithServer(documents, path);
  }
  return choice === overwrite ? { overwrites: theirs } : undefined;
}

/**
 * Puts what the server holds into the text that is open; what both changed is shown side by side instead.
 * @returns what the person decided about the next save, where there is to be one
 */
export async function mergeWithServer(
  documents: RemoteDocuments,
  path: string,
): Promise<SaveIntent | undefined> {
  const document = openDocument(path);
  if (document === undefined) {
    return undefined;
  }
  const outcome = await mergeIntoText(documents, path, openText(document));
  if (outcome.kind === 'conflicts') {
    const places = outcome.conflicts.map((one) => shownPath(one.path));
    return tellUnmerged(path, { places, theirs: outcome.theirs });
  }
  if (outcome.kind === 'merged') {
    await showInformation(t('{0} now has the changes of both. Look at it and save it.', shownName(path)));
  } else {
    await showWarning(
      t('The editor took no changes of {0}, so nothing was merged. Try again.', shownName(path)),
    );
  }
  return undefined;
}

const openText = (document: vscode.TextDocument): OpenText => ({
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

type Unmerged = { readonly places: readonly string[]; readonly theirs: DocumentConflict['theirs'] };

async function tellUnmerged(path: string, { places, theirs }: Unmerged): Promise<SaveIntent | undefined> {
  await compare(path, documentUri(path));
  const overwrite = t('Overwrite');
  const shown = places.filter((place) => place !== '').join(', ') || t('the text');
  const choice = await showWarning(
    t('Both sides changed {0}. Take over on the right what you want of the left, then overwrite.', shown),
    overwrite,
  );
  return choice === overwrite ? { overwrites: theirs } : undefined;
}
