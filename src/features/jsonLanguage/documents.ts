import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { type JsonDocumentKind, getDocumentKindForPath } from '../../json/language/documentKind.ts';

/** The documents that get help, as providers are registered for them. */
export const jsonDocumentSelector: vscode.DocumentSelector = ['json', 'jsonc'].map((language) => ({
  language,
  pattern: '**/*.{viewpoint,rule,rules}.json',
}));

/** The kind of a document, by its name; `undefined` for those that are none of ours. */
export function getJsonDocumentKind({
  uri,
  languageId,
}: Pick<vscode.TextDocument, 'uri' | 'languageId'>): JsonDocumentKind | undefined {
  return languageId === 'json' || languageId === 'jsonc' ? getDocumentKindForPath(uri.path) : undefined;
}

/** Whether a document is one to be worked on: former versions and the like are only looked at. */
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
