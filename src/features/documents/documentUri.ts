import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

/** Returns the URI of the document with a path. */
export const toDocumentUri = (path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: schemes.document, path });

/** Returns the open document with a path. */
export const findOpenDocument = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === schemes.document && uri.path === path);

/** Returns the paths of all open documents. */
export const getOpenPaths = (): readonly string[] =>
  vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === schemes.document ? [uri.path] : []));

/** Returns the paths of the documents that have a tab; the editor keeps a document for a while after its tab is closed. */
export const getTabPaths = (): readonly string[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) &&
      input.uri.scheme === schemes.document
        ? [input.uri.path]
        : [],
    );

/** Returns the URIs of visible documents. Forms are found by their tabs, since custom editors are no text editors. */
export function getVisibleDocuments(): readonly vscode.Uri[] {
  const texts = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const forms = vscode.window.tabGroups.all.flatMap(({ activeTab }) =>
    activeTab?.input instanceof vscode.TabInputCustom ? [activeTab.input.uri] : [],
  );
  return [...texts, ...forms].filter(({ scheme }) => scheme === schemes.document);
}
