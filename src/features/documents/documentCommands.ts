import * as vscode from 'vscode';
import { type UriTarget, schemes } from '../../contributions.ts';
import { getDocumentPath } from '../../documents/documentAddress.ts';
import { DocumentRefusedError } from '../../documents/refusals.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { getActiveDocumentUri } from '../../platform/activeForm.ts';
import { showInformation } from '../../platform/messages.ts';
import type { DocumentsDeps } from './deps.ts';
import { toDocumentUri } from './openDocuments.ts';
import { compareFileWithServer, saveCopy, loadFileIntoOrigin } from './workspaceFiles.ts';
import { describeRefusal } from './refusalMessages.ts';
import { compareDocumentWithServer, getServerVersionPath } from './serverVersions.ts';

/** The parts of the document file system that commands use. */
interface DocumentFiles {
  readonly documents: RemoteDocuments;
  /** Merges the server's version into an open document. */
  mergeOpenDocument(path: string): Promise<void>;
}

/** Returns the file that a menu passed, or else the active one. For a server version, returns its document. */
export function getTargetFile(file: UriTarget | undefined): vscode.Uri | undefined {
  const uri = file === undefined ? getActiveDocumentUri() : vscode.Uri.parse(file.toString());
  return uri?.scheme === schemes.serverVersion ? toDocumentUri(getServerVersionPath(uri)) : uri;
}

/** Merges the server's version into the open document. */
export async function mergeOpenDocument(files: DocumentFiles, uri: vscode.Uri | undefined): Promise<void> {
  if (!isDocument(uri)) {
    await showNoDocumentMessage();
    return;
  }
  await withUserMessage(files.mergeOpenDocument(getDocumentPath(uri)));
}

/** Compares a document, or a workspace file that is linked to one, with the server's version. */
export async function compareWithServer(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  if (isDocument(uri)) {
    await compareDocumentWithServer(getDocumentPath(uri), uri);
  } else {
    await (uri === undefined ? showNoDocumentMessage() : compareFileWithServer(deps, uri));
  }
}

/** Saves a copy of a document to a file. */
export async function copyToWorkspace(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  await (isDocument(uri) ? saveCopy(deps, getDocumentPath(uri)) : showNoDocumentMessage());
}

/** Replaces the text of the linked document with the content of a file; the user reviews and saves it. */
export async function loadIntoLinkedDocument(
  deps: DocumentsDeps,
  { documents }: DocumentFiles,
  uri: vscode.Uri | undefined,
): Promise<void> {
  await (uri === undefined || isDocument(uri)
    ? showNoDocumentMessage()
    : withUserMessage(loadFileIntoOrigin(deps, documents, uri)));
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

const showNoDocumentMessage = (): Thenable<unknown> =>
  showInformation(
    vscode.l10n.t('First open a resource from the Connections view, or a file that is a copy of one.'),
  );
