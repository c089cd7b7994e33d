import * as vscode from 'vscode';
import { type UriTarget, schemes } from '../../contributions.ts';
import { DocumentRefusal } from '../../documents/refusals.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import { activeForm } from '../../platform/activeForm.ts';
import { showInformation } from '../../platform/messages.ts';
import { mergeWithServer } from './conflictNotice.ts';
import type { DocumentsDeps } from './deps.ts';
import { documentUri } from './documentUri.ts';
import { compareFile, saveCopy, sendFile } from './localFiles.ts';
import { refusalMessage } from './refusalWords.ts';
import { compare } from './serverVersions.ts';

interface Files {
  readonly documents: RemoteDocuments;
  /** Saves the document as it is open, with what the person decided about that save. */
  saveWith(path: string, intent: SaveIntent): Promise<void>;
}

/** The file that a menu passed, else the one in the active editor or form; of a comparison, the document that it is about. */
export function chosenFile(file: UriTarget | undefined): vscode.Uri | undefined {
  const uri =
    file === undefined
      ? (activeForm() ?? vscode.window.activeTextEditor?.document.uri)
      : vscode.Uri.parse(file.toString());
  return uri?.scheme === schemes.serverVersion ? documentUri(uri.path) : uri;
}

/** Puts what the server holds into the text that is open. */
export async function merge(files: Files, uri: vscode.Uri | undefined): Promise<void> {
  if (!isDocument(uri)) {
    await tellNone();
    return;
  }
  const intent = await worded(mergeWithServer(files.documents, uri.path));
  if (intent !== undefined) {
    await files.saveWith(uri.path, intent);
  }
}

/** Shows what the server holds beside a document that is being changed, or beside a file of the workspace. */
export async function compareWithServer(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  if (isDocument(uri)) {
    await compare(uri.path, uri);
  } else {
    await (uri === undefined ? tellNone() : compareFile(deps, uri));
  }
}

/** Keeps a copy of a document in the workspace. */
export async function copyToWorkspace(deps: DocumentsDeps, uri: vscode.Uri | undefined): Promise<void> {
  await (isDocument(uri) ? saveCopy(deps, uri.path) : tellNone());
}

/** Puts what a file says into the server's document, to be looked at and saved. */
export async function sendToServer(
  deps: DocumentsDeps,
  { documents }: Files,
  uri: vscode.Uri | undefined,
): Promise<void> {
  await (uri === undefined || isDocument(uri) ? tellNone() : worded(sendFile(deps, documents, uri)));
}

/** A refusal in words for a person: by itself it has a code only. */
async function worded<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DocumentRefusal ? new Error(refusalMessage(error), { cause: error }) : error;
  }
}

const isDocument = (uri: vscode.Uri | undefined): uri is vscode.Uri => uri?.scheme === schemes.document;

const tellNone = (): Thenable<unknown> =>
  showInformation(
    vscode.l10n.t(
      'Open a resource from the Datamodel Studio explorer, or a file that is a copy of one, first.',
    ),
  );
