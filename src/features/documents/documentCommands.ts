import * as vscode from 'vscode';
import { type UriTarget, schemes } from '../../contributions.ts';
import { DocumentRefusedError } from '../../documents/refusals.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import { getActiveFormUri } from '../../platform/activeForm.ts';
import { showInformation } from '../../platform/messages.ts';
import { mergeWithServer } from './conflictNotice.ts';
import type { DocumentsDeps } from './deps.ts';
import { toDocumentUri } from './documentUri.ts';
import { compareFile, saveCopy, sendFile } from './workspaceFiles.ts';
import { describeRefusal } from './refusalMessages.ts';
import { compareDocumentWithServer } from './serverVersions.ts';

/** The parts of the document file system that commands use. */
interface DocumentFiles {
  readonly documents: RemoteDocuments;
  /** Saves an open document with the intent that the user has expressed. */
  saveWith(path: string, intent: SaveIntent): Promise<void>;
}

/** Returns the file that a menu passed, or else the active one. For a server version, returns its document. */
export function getTargetFile(file: UriTarget | undefined): vscode.Uri | undefined {
  const uri =
    file === undefined
      ? (getActiveFormUri() ?? vscode.window.activeTextEditor?.document.uri)
      : vscode.Uri.parse(file.toString());
  return uri?.scheme === schemes.serverVersion ? toDocumentUri(uri.path) : uri;
}

/** Merges the server's version into the open document, and saves it if the user chose to overwrite. */
export async function merge(files: DocumentFiles, uri: vscode.Uri | undefined): Promise<void> {
  if (!isDocument(uri)) {
    await showNoDocument();
    return;
  }
  const intent = await withUserMessage(mergeWithServer(files.documents, uri.path));
  if (intent !== undefined) {
    await files.saveWith(uri.path, intent);
  }
}

/** Compares a document, or a workspace file that is linked to one, with the server's version. */
export async function compareWithServer(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  if (isDocument(uri)) {
    await compareDocumentWithServer(uri.path, uri);
  } else {
    await (uri === undefined ? showNoDocument() : compareFile(deps, uri));
  }
}

/** Saves a copy of a document to a file. */
export async function copyToWorkspace(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  await (isDocument(uri) ? saveCopy(deps, uri.path) : showNoDocument());
}

/** Replaces the text of the linked document with the content of a file; the user reviews and saves it. */
export async function sendToServer(
  deps: DocumentsDeps,
  { documents }: DocumentFiles,
  uri: vscode.Uri | undefined,
): Promise<void> {
  await (uri === undefined || isDocument(uri)
    ? showNoDocument()
    : withUserMessage(sendFile(deps, documents, uri)));
}

/** Converts a refusal, which only has a code, to an error with a message for the user. */
async function withUserMessage<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    throw error instanceof DocumentRefusedError ? new Error(describeRefusal(error), { cause: error }) : error;
  }
}

const isDocument = (uri: vscode.Uri | undefined): uri is vscode.Uri => uri?.scheme === schemes.document;

const showNoDocument = (): Thenable<unknown> =>
  showInformation(
    vscode.l10n.t(
      'Open a resource from the Datamodel Studio explorer, or a file that is a copy of one, first.',
    ),
  );
