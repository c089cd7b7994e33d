import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import {
  readDocumentPath,
  getDisplayName,
  getConnectionAndContainerNames,
  getDocumentPath,
} from '../../documents/documentAddress.ts';
import { createDocumentHandler } from '../../documents/kinds/documentHandler.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { FileOrigins } from '../../documents/fileOrigins.ts';
import { adaptToTarget } from '../../documents/adaptToTarget.ts';
import { readVersion } from '../../documents/version.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { DocumentsDeps } from './deps.ts';
import { getDocumentTabUris, toDocumentUri } from './openDocuments.ts';
import { compareDocumentWithServer } from './serverVersions.ts';

const t = vscode.l10n.t;

/** Saves a copy of a document to a file that the user chooses, and records the document as the origin of the file. */
export async function saveCopy(deps: DocumentsDeps, path: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  const file = await vscode.window.showSaveDialog({
    title: t('Save a Copy of {0}', name),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
  });
  if (file === undefined || file.scheme === schemes.document) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(toDocumentUri(path));
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(document.getText()));
  new FileOrigins(deps.fileOriginStorage).set(file.toString(), path);
  await vscode.window.showTextDocument(file);
}

/** Compares a workspace file with the server's version of the document that it is a copy of. */
export async function compareFileWithServer(deps: DocumentsDeps, file: vscode.Uri): Promise<void> {
  const path = await resolveOriginPath(deps, file);
  if (path !== undefined) {
    await compareDocumentWithServer(path, file);
  }
}

/**
 * Replaces the text of the document that a file is a copy of with the content of the file, adapted to the target, and
 * shows the differences. Nothing is sent until the user saves the document.
 */
export async function loadFileIntoOrigin(
  deps: DocumentsDeps,
  documents: RemoteDocuments,
  file: vscode.Uri,
): Promise<void> {
  const path = await resolveOriginPath(deps, file);
  const identity = path === undefined ? undefined : readDocumentPath(path);
  if (path === undefined || identity === undefined) {
    return;
  }
  const localDocument = await vscode.workspace.openTextDocument(file);
  const serverVersion = await documents.readServerVersion(path);
  const handler = createDocumentHandler(identity.resource);
  const text = adaptToTarget(localDocument.getText(), serverVersion, handler);
  if (readVersion(text, handler)?.hash === serverVersion.hash) {
    await showInformation(t('The server already has this version.'));
    return;
  }
  const document = await vscode.workspace.openTextDocument(toDocumentUri(path));
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  if (document.getText() !== text && !(await vscode.workspace.applyEdit(edit))) {
    await showInformation(t('{0} has changed in the meantime. Try again.', getDisplayName(path)));
    return;
  }
  await compareDocumentWithServer(path, document.uri);
  await showInformation(t('Nothing has been sent yet. Save {0} to send your changes.', getDisplayName(path)));
}

/**
 * Returns the path of the document that a file is a copy of. If it is unknown, lets the user pick the document.
 */
async function resolveOriginPath(deps: DocumentsDeps, file: vscode.Uri): Promise<string | undefined> {
  const origins = new FileOrigins(deps.fileOriginStorage);
  const origin = origins.get(file.toString());
  if (origin !== undefined) {
    return origin;
  }
  const pickedPath = await pickOpenDocument(file);
  if (pickedPath !== undefined) {
    origins.set(file.toString(), pickedPath);
  }
  return pickedPath;
}

/** Lets the user pick an open document with the same file suffix. */
async function pickOpenDocument(file: vscode.Uri): Promise<string | undefined> {
  const suffix = /\.[\w-]+\.(json|sql)$/.exec(file.path)?.[0] ?? '';
  const paths = [...new Set(getDocumentTabUris().map(getDocumentPath))].filter(
    (path) => suffix !== '' && path.endsWith(suffix),
  );
  if (paths.length === 0) {
    await showInformation(
      t('Open the resource for {0} from the Connections view and try again.', getDisplayName(file.path)),
    );
    return undefined;
  }
  const selectedItem = await vscode.window.showQuickPick(
    paths.map((path) => ({
      label: toPlainText(getDisplayName(path)),
      description: toPlainText(getConnectionAndContainerNames(path).join(' › ')),
      path,
    })),
    { title: t('Select Resource for {0}', getDisplayName(file.path)), matchOnDescription: true },
  );
  return selectedItem?.path;
}
