import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { getDocumentAddress, getDocumentPath } from '../../documents/documentAddress.ts';

/**
 * Returns the URI of the document with a path. The URI of its tab takes precedence, since tabs opened by an earlier
 * version of the extension have URIs of another form.
 */
export const toDocumentUri = (path: string): vscode.Uri =>
  getDocumentTabUris().find((uri) => getDocumentPath(uri) === path) ??
  findOpenDocument(path)?.uri ??
  vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(path) });

/** Returns the open document with a path. */
export const findOpenDocument = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === schemes.document && getDocumentPath(uri) === path,
  );

/** Returns the paths of all open documents. */
export const getOpenPaths = (): readonly string[] =>
  vscode.workspace.textDocuments.flatMap(({ uri }) =>
    uri.scheme === schemes.document ? [getDocumentPath(uri)] : [],
  );

/** Returns the tabs of documents, with their URIs. */
export const getDocumentTabs = (): readonly { readonly tab: vscode.Tab; readonly uri: vscode.Uri }[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => {
      const { input } = tab;
      return (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) &&
        input.uri.scheme === schemes.document
        ? [{ tab, uri: input.uri }]
        : [];
    });

/**
 * Returns the URIs of the documents that have a tab; the editor keeps a document for a while after its tab is closed.
 */
export const getDocumentTabUris = (): readonly vscode.Uri[] => getDocumentTabs().map(({ uri }) => uri);

/** Returns the URIs of texts that are unsaved, or compared with another one. */
export function getUrisInUse(): readonly vscode.Uri[] {
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  const compared = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [],
    );
  return [...unsaved, ...compared];
}

/** Returns the URIs of visible documents. Forms are found by their tabs, since custom editors are not text editors. */
export function getVisibleDocumentUris(): readonly vscode.Uri[] {
  const texts = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const forms = vscode.window.tabGroups.all.flatMap(({ activeTab }) =>
    activeTab?.input instanceof vscode.TabInputCustom ? [activeTab.input.uri] : [],
  );
  return [...texts, ...forms].filter(({ scheme }) => scheme === schemes.document);
}
