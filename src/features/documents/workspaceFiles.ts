import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { readDocumentPath, getDisplayName, getDisplayParents } from '../../documents/documentAddress.ts';
import { createDocumentHandler } from '../../documents/kinds/kinds.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { adaptToTarget } from '../../documents/adaptToTarget.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { DocumentsDeps } from './deps.ts';
import { DocumentLinks } from './documentLinks.ts';
import { toDocumentUri, getOpenPaths } from './documentUri.ts';
import { compareDocumentWithServer } from './serverVersions.ts';

const t = vscode.l10n.t;

/** Saves a copy of a document in the workspace, and remembers where it came from. */
export async function saveCopy(deps: DocumentsDeps, path: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  const file = await vscode.window.showSaveDialog({
    title: t('Save a copy of {0}', name),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
  });
  if (file === undefined || file.scheme === schemes.document) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(toDocumentUri(path));
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(document.getText()));
  new DocumentLinks(deps.documentLinks).set(file.toString(), path);
  await vscode.window.showTextDocument(file);
}

/** Compares a file of the workspace with the server's version. */
export async function compareFile(deps: DocumentsDeps, file: vscode.Uri): Promise<void> {
  const path = await getLinkedPath(deps, file);
  if (path !== undefined) {
    await compareDocumentWithServer(path, file);
  }
}

/**
 * Puts the content of a file into the document of the server and shows the differences. Nothing is sent: the user
 * reviews it and saves, with the plan and the history that every save has.
 */
export async function sendFile(
  deps: DocumentsDeps,
  documents: RemoteDocuments,
  file: vscode.Uri,
): Promise<void> {
  const path = await getLinkedPath(deps, file);
  const identity = path === undefined ? undefined : readDocumentPath(path);
  if (path === undefined || identity === undefined) {
    return;
  }
  const local = await vscode.workspace.openTextDocument(file);
  const text = adaptToTarget(
    local.getText(),
    await documents.readServerVersion(path),
    createDocumentHandler(identity.resource),
  );
  const document = await vscode.workspace.openTextDocument(toDocumentUri(path));
  if (document.getText() === text) {
    await showInformation(t('The server has it already.'));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    await showInformation(t('{0} has just been changed. Try again.', getDisplayName(path)));
    return;
  }
  await compareDocumentWithServer(path, document.uri);
  await showInformation(t('Nothing has been sent yet. Save {0} to send it.', getDisplayName(path)));
}

/** Returns the document that a file belongs to; the user is asked once. */
async function getLinkedPath(deps: DocumentsDeps, file: vscode.Uri): Promise<string | undefined> {
  const links = new DocumentLinks(deps.documentLinks);
  const known = links.get(file.toString());
  if (known !== undefined) {
    return known;
  }
  const picked = await pickOpenDocument(file);
  if (picked !== undefined) {
    links.set(file.toString(), picked);
  }
  return picked;
}

/** Asks for one of the open documents of the file's kind: users who have a file at hand know where it belongs. */
async function pickOpenDocument(file: vscode.Uri): Promise<string | undefined> {
  const suffix = /\.[\w-]+\.(json|sql)$/.exec(file.path)?.[0] ?? '';
  const paths = getOpenPaths().filter((path) => suffix !== '' && path.endsWith(suffix));
  if (paths.length === 0) {
    await showInformation(
      t('Open the resource that {0} belongs to from the explorer, and try again.', getDisplayName(file.path)),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    paths.map((path) => ({
      label: toPlainText(getDisplayName(path)),
      description: toPlainText(getDisplayParents(path).join(' › ')),
      path,
    })),
    { title: t('The resource that {0} belongs to', getDisplayName(file.path)), matchOnDescription: true },
  );
  return picked?.path;
}
