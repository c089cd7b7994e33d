import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toReadError } from './fileErrors.ts';

const t = vscode.l10n.t;

/** Provides the server's versions of documents for comparisons. */
export class ServerVersions implements vscode.TextDocumentContentProvider {
  readonly #documents: RemoteDocuments;

  constructor(documents: RemoteDocuments) {
    this.#documents = documents;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      return (await this.#documents.readServerVersion(uri.path)).text;
    } catch (error) {
      throw toReadError(uri, error);
    }
  }
}

/** Opens a diff editor with the server's version on the left and the user's file or document on the right. */
export async function compareDocumentWithServer(path: string, localUri: vscode.Uri): Promise<void> {
  // A different URI each time, so that the editor reads the content again.
  const query = String(Date.now());
  const serverUri = vscode.Uri.from({ scheme: schemes.serverVersion, path, query });
  const title = toPlainText(t('{0}: on the server ↔ yours', getDisplayName(path)));
  await vscode.commands.executeCommand('vscode.diff', serverUri, localUri, title);
}
