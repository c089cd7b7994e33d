import * as vscode from 'vscode';
import type { EmbeddedDocumentKind } from '../../sql/embedded/tableJson.ts';
import { isSqlLanguage } from '../../contributions.ts';
import { getResourceIdentity } from './resourceIdentity.ts';

/** The kind of an SQL document: the whole text is SQL, or the JSON of a table or column contains expressions. */
export type SqlDocumentKind = 'sql' | EmbeddedDocumentKind;

/**
 * Returns the SQL kind of a document; `undefined` for unrelated documents. `.table.json` is a common suffix, so a
 * document with it only has a kind if it shows a resource of a server (decisions.md, "Names and file suffixes").
 */
export function getSqlDocumentKind({
  languageId: language,
  uri,
}: Pick<vscode.TextDocument, 'languageId' | 'uri'>): SqlDocumentKind | undefined {
  if (isSqlLanguage(language)) {
    return 'sql';
  }
  const kind = /\.(table|column)\.json$/.test(uri.path) ? getResourceIdentity(uri)?.resource.kind : undefined;
  return kind === 'table' || kind === 'column' ? kind : undefined;
}

/**
 * Returns whether the problems of a document are reported: it shows a resource of a server, is untitled, or is a file.
 * All other documents are read-only versions of a text, as in version control or comparisons: problems can't be fixed
 * there, and the datamodel that their names refer to is unknown.
 */
export const isDiagnosed = ({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  getResourceIdentity(uri) !== undefined ||
  uri.scheme === 'untitled' ||
  uri.scheme === 'file' ||
  // Folders of a workspace may be in other file systems.
  vscode.workspace.getWorkspaceFolder(uri) !== undefined;
