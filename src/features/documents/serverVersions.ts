import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toReadError } from './fileErrors.ts';

const t = vscode.l10n.t;

/** Shows documents as their server has them, beside the text that a person is writing. */
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

/** The server's document on the left, a person's text on the right. */
export async function compareDocumentWithServer(path: string, mine: vscode.Uri): Promise<void> {
  // Another address each time, so that the editor asks for the content anew.
  const query = String(Date.now());
  const theirs = vscode.Uri.from({ scheme: schemes.serverVersion, path, query });
  const title = toPlainText(t('{0}: on the server ↔ yours', getDisplayName(path)));
  await vscode.commands.executeCommand('vscode.diff', theirs, mine, title);
}
