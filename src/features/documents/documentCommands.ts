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

interface DocumentFiles {
  readonly documents: RemoteDocuments;
  /** Saves the document as it is open, with what the person decided about that save. */
  saveWith(path: string, intent: SaveIntent): Promise<void>;
}

/** The file that a menu passed, else the one in the active editor or form; of a comparison, the document that it is about. */
export function getTargetFile(file: UriTarget | undefined): vscode.Uri | undefined {
  const uri =
    file === undefined
      ? (getActiveFormUri() ?? vscode.window.activeTextEditor?.document.uri)
      : vscode.Uri.parse(file.toString());
  return uri?.scheme === schemes.serverVersion ? toDocumentUri(uri.path) : uri;
}

/** Puts what the server holds into the text that is open. */
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

/** Shows what the server holds beside a document that is being changed, or beside a file of the workspace. */
export async function compareWithServer(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  if (isDocument(uri)) {
    await compareDocumentWithServer(uri.path, uri);
  } else {
    await (uri === undefined ? showNoDocument() : compareFile(deps, uri));
  }
}

/** Keeps a copy of a document in the workspace. */
export async function copyToWorkspace(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  await (isDocument(uri) ? saveCopy(deps, uri.path) : showNoDocument());
}

/** Puts what a file says into the server's document, to be looked at and saved. */
export async function sendToServer(
  deps: DocumentsDeps,
  { documents }: DocumentFiles,
  uri: vscode.Uri | undefined,
): Promise<void> {
  await (uri === undefined || isDocument(uri)
    ? showNoDocument()
    : withUserMessage(sendFile(deps, documents, uri)));
}

/** A refusal in words for a person: by itself it has a code only. */
async function withUserMessage<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
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
