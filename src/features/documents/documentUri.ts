import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

/** Returns the URI of a document by its path. */
export const toDocumentUri = (path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: schemes.document, path });

/** Returns the document if it is open in an editor. */
export const findOpenDocument = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === schemes.document && uri.path === path);

/** Returns the paths of all open documents. */
export const getOpenPaths = (): readonly string[] =>
  vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === schemes.document ? [uri.path] : []));

/** Returns the visible documents, as text or as a form: the editor does not count a custom editor as a text editor. */
export function getVisibleDocuments(): readonly vscode.Uri[] {
  const texts = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const forms = vscode.window.tabGroups.all.flatMap(({ activeTab }) =>
    activeTab?.input instanceof vscode.TabInputCustom ? [activeTab.input.uri] : [],
  );
  return [...texts, ...forms].filter(({ scheme }) => scheme === schemes.document);
}
