import * as vscode from 'vscode';
import { languages, schemes } from '../../contributions.ts';
import { type JsonDocumentKind, getDocumentKindForPath } from '../../json/language/documentKind.ts';

const jsonLanguages: readonly string[] = ['json', 'jsonc', languages.documentJson];

/** The selector of the documents that have JSON language features. */
export const jsonDocumentSelector: vscode.DocumentSelector = jsonLanguages.map((language) => ({
  language,
  pattern: '**/*.{viewpoint,rule,rules}.json',
}));

/** Returns the kind of a document by its file name; `undefined` for unrelated documents. */
export function getJsonDocumentKind({
  uri,
  languageId,
}: Pick<vscode.TextDocument, 'uri' | 'languageId'>): JsonDocumentKind | undefined {
  return jsonLanguages.includes(languageId) ? getDocumentKindForPath(uri.path) : undefined;
}

/** Returns whether a document can be edited: views of resources and earlier versions are read-only. */
export function isEditable({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return (
    [schemes.document, 'file', 'untitled'].includes(uri.scheme) ||
    (uri.scheme !== schemes.view && vscode.workspace.getWorkspaceFolder(uri) !== undefined)
  );
}

export const toRange = (
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range => new vscode.Range(document.positionAt(start), document.positionAt(end));
