import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

/** The address of a document by its path. */
export const toDocumentUri = (path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: schemes.document, path });

/** The document where it is open in an editor. */
export const findOpenDocument = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === schemes.document && uri.path === path);

/** Paths of all documents that are open. */
export const getOpenPaths = (): readonly string[] =>
  vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === schemes.document ? [uri.path] : []));

/** The documents that are on the screen, as text or as a form: the editor counts no custom editor as a text editor. */
export function getVisibleDocuments(): readonly vscode.Uri[] {
  const texts = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const forms = vscode.window.tabGroups.all.flatMap(({ activeTab }) =>
    activeTab?.input instanceof vscode.TabInputCustom ? [activeTab.input.uri] : [],
  );
  return [...texts, ...forms].filter(({ scheme }) => scheme === schemes.document);
}
