import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

/** The address of a document by its path. */
export const documentUri = (path: string): vscode.Uri => vscode.Uri.from({ scheme: schemes.document, path });

/** The document where it is open in an editor. */
export const openDocument = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === schemes.document && uri.path === path);

/** Paths of all documents that are open. */
export const openPaths = (): readonly string[] =>
  vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === schemes.document ? [uri.path] : []));
