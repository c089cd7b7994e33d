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
  /** Saves the open document, with the user's decisions about that save. */
  saveWith(path: string, intent: SaveIntent): Promise<void>;
}

/** Returns the file that a menu passed, else the one in the active editor or form; of a comparison, its document. */
export function getTargetFile(file: UriTarget | undefined): vscode.Uri | undefined {
  const uri =
    file === undefined
      ? (getActiveFormUri() ?? vscode.window.activeTextEditor?.document.uri)
      : vscode.Uri.parse(file.toString());
  return uri?.scheme === schemes.serverVersion ? toDocumentUri(uri.path) : uri;
}

/** Merges the server's version into the open text. */
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

/** Shows the server's version beside a document that is being changed, or beside a file of the workspace. */
export async function compareWithServer(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  if (isDocument(uri)) {
    await compareDocumentWithServer(uri.path, uri);
  } else {
    await (uri === undefined ? showNoDocument() : compareFile(deps, uri));
  }
}

/** Saves a copy of a document in the workspace. */
export async function copyToWorkspace(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  await (isDocument(uri) ? saveCopy(deps, uri.path) : showNoDocument());
}

/** Puts the content of a file into the server's document, to be reviewed and saved. */
export async function sendToServer(
  deps: DocumentsDeps,
  { documents }: DocumentFiles,
  uri: vscode.Uri | undefined,
): Promise<void> {
  await (uri === undefined || isDocument(uri)
    ? showNoDocument()
    : withUserMessage(sendFile(deps, documents, uri)));
}

/** Adds a message for the user to a refusal, which on its own has only a code. */
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
