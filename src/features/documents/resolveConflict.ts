import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import { getDisplayName, readDocumentPath } from '../../documents/documentAddress.ts';
import { type OpenText, mergeIntoText } from '../../documents/mergeIntoText.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import type { DocumentConflictError } from '../../documents/saveErrors.ts';
import type { Version } from '../../documents/version.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { toDocumentUri, findOpenDocument } from './openDocuments.ts';
import { describeLastChange } from './lastChange.ts';
import type { MergeEditors } from './mergeEditors.ts';
import { compareDocumentWithServer } from './serverVersions.ts';

const t = vscode.l10n.t;

/** The dependencies of resolving conflicts. */
export interface ConflictDeps {
  readonly documents: RemoteDocuments;
  readonly mergeEditors: MergeEditors;
  readonly userDirectories: Pick<UserDirectories, 'get'>;
  readonly log: Log;
}

/**
 * Notifies the user that a save was stopped because the server has a newer version, and offers to merge, compare or
 * overwrite.
 * @returns the intent of the next save, if the document should be saved again
 */
export async function resolveConflict(
  deps: ConflictDeps,
  conflict: DocumentConflictError,
): Promise<SaveIntent | undefined> {
  const { path, theirs } = conflict;
  const [mergeLabel, compareLabel, overwriteLabel] = [t('Merge'), t('Compare'), t('Overwrite')];
  const choice = await showWarning(
    await describeConflict(deps, conflict),
    mergeLabel,
    compareLabel,
    overwriteLabel,
  );
  if (choice === compareLabel) {
    await compareDocumentWithServer(path, toDocumentUri(path));
  }
  if (choice === mergeLabel) {
    await mergeWithServer(deps, path);
  }
  return choice === overwriteLabel ? prepareOverwrite(deps, path, theirs) : undefined;
}

async function describeConflict(
  deps: ConflictDeps,
  { path, base, theirs }: DocumentConflictError,
): Promise<string> {
  const name = getDisplayName(path);
  if (base === undefined) {
    return t("Your changes to {0} weren't saved because the version they are based on is unknown.", name);
  }
  const change = await describeLastChange(deps, path, theirs);
  return change === undefined
    ? t("{0} has changed on the server since you opened it. Your changes weren't saved.", name)
    : t("{0} was changed on the server ({1}). Your changes weren't saved.", name, change);
}

/**
 * Merges the server's version into the open document. If the changes conflict, opens the merge editor, which shows only
 * the conflicts.
 */
export async function mergeWithServer(deps: ConflictDeps, path: string): Promise<void> {
  const document = findOpenDocument(path);
  if (document === undefined) {
    return;
  }
  const outcome = await mergeIntoText(deps.documents, path, toOpenText(document));
  if (outcome.kind === 'conflicts') {
    await deps.mergeEditors.open(path, outcome.sides, await describeLastChange(deps, path, outcome.theirs));
  } else if (outcome.kind === 'merged') {
    await showInformation(t('Merged {0}. Review and save.', getDisplayName(path)));
  } else {
    await showEditFailed(path);
  }
}

/**
 * Makes the next save overwrite the server's values where both sides changed something. What only the server has
 * changed is merged first, so that it is not reverted.
 */
async function prepareOverwrite(
  { documents }: ConflictDeps,
  path: string,
  theirs: Version,
): Promise<SaveIntent | undefined> {
  const document = hasStableIds(path) ? findOpenDocument(path) : undefined;
  const outcome = document && (await mergeIntoText(documents, path, toOpenText(document), theirs));
  if (outcome?.kind === 'refused') {
    await showEditFailed(path);
    return undefined;
  }
  return { versionToOverwrite: theirs };
}

/** Rules get other IDs when they are replaced or restored, so their versions can't be merged without a review. */
function hasStableIds(path: string): boolean {
  const kind = readDocumentPath(path)?.resource.kind;
  return kind !== 'rule' && kind !== 'columnRules';
}

const showEditFailed = (path: string): Thenable<unknown> =>
  showWarning(t("Couldn't edit {0}, so nothing was merged. Try again.", getDisplayName(path)));

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
