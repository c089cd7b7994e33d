import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { showInformation } from '../../platform/messages.ts';
import { mergeWithServer } from './conflictNotice.ts';
import { documentUri } from './documentUri.ts';
import { compare } from './serverVersions.ts';

/** The document in the active editor; in a comparison, the one that can be changed. */
export function activePath(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === schemes.document || uri?.scheme === schemes.serverVersion ? uri.path : undefined;
}

/** Puts what the server holds into the text that is open. */
export async function merge(documents: RemoteDocuments, path: string | undefined): Promise<void> {
  await (path === undefined ? tellNone() : mergeWithServer(documents, path));
}

/** Shows what the server holds beside the text that is open. */
export async function compareWithServer(path: string | undefined): Promise<void> {
  await (path === undefined ? tellNone() : compare(path, documentUri(path)));
}

const tellNone = (): Thenable<unknown> =>
  showInformation(vscode.l10n.t('Open a resource from the Datamodel Studio explorer first.'));
