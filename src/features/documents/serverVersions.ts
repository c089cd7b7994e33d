import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { getDisplayName, getDocumentAddress, getDocumentPath } from '../../documents/documentAddress.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toReadError } from './fileErrors.ts';

const t = vscode.l10n.t;

/** Provides the server's versions of documents for comparisons, and the versions that a merge editor shows. */
export class ServerVersions implements vscode.TextDocumentContentProvider {
  readonly #documents: RemoteDocuments;
  /** The texts that merge editors show (the base, the server's and the user's version), by their URIs. */
  readonly #texts = new Map<string, string>();

  constructor(documents: RemoteDocuments) {
    this.#documents = documents;
  }

  /** Adds a text of a document, to be shown in a merge editor; returns its URI. */
  add(path: string, text: string, name: string): vscode.Uri {
    const uri = createVersionUri(path, `${name}-${Date.now()}`);
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  /** Removes a text that is no longer shown. */
  remove(uri: vscode.Uri): void {
    this.#texts.delete(uri.toString());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const text = this.#texts.get(uri.toString());
    if (text !== undefined) {
      return text;
    }
    try {
      return (await this.#documents.readServerVersion(getServerVersionPath(uri))).text;
    } catch (error) {
      throw toReadError(uri, error);
    }
  }
}

/** Returns the path of the document that a server version belongs to. */
export const getServerVersionPath = ({ path, query }: vscode.Uri): string =>
  getDocumentPath({ path, query: query.slice(0, Math.max(0, query.lastIndexOf('&'))) });

/** Opens a diff editor with the server's version on the left and the user's file or document on the right. */
export async function compareDocumentWithServer(path: string, localUri: vscode.Uri): Promise<void> {
  // The URI is different each time, so that the editor reads the content again.
  const serverUri = createVersionUri(path, `${Date.now()}`);
  const title = toPlainText(t('{0}: Server ↔ Yours', getDisplayName(path)));
  await vscode.commands.executeCommand('vscode.diff', serverUri, localUri, title);
}

function createVersionUri(path: string, name: string): vscode.Uri {
  const { path: displayPath, query } = getDocumentAddress(path);
  return vscode.Uri.from({ scheme: schemes.serverVersion, path: displayPath, query: `${query}&${name}` });
}
