import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toReadError } from './fileErrors.ts';

const t = vscode.l10n.t;

/** Shows the server's version of documents, beside the text that the user is writing. */
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

/** Compares the server's document on the left with the user's text on the right. */
export async function compareDocumentWithServer(path: string, mine: vscode.Uri): Promise<void> {
  // A different URI each time, so that the editor reads the content again.
  const query = String(Date.now());
  const theirs = vscode.Uri.from({ scheme: schemes.serverVersion, path, query });
  const title = toPlainText(t('{0}: on the server ↔ yours', getDisplayName(path)));
  await vscode.commands.executeCommand('vscode.diff', theirs, mine, title);
}
