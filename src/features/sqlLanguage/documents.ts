import type * as vscode from 'vscode';
import type { EmbeddedDocumentKind } from '../../sql/embedded/tableJson.ts';
import { getDocumentOrigin } from './documentOrigin.ts';

export const sqlLanguageId = 'datamodel-sql';

/** The part of a document that is SQL: all of it, or the expressions in the JSON of a table or column. */
export type SqlDocumentKind = 'sql' | EmbeddedDocumentKind;

/**
 * Returns which part of a document is SQL; `undefined` for unrelated documents. `.table.json` is a common name in
 * workspaces: it is ours where the document shows a resource of a server (decisions.md, "Names and file suffixes").
 */
export function getSqlDocumentKind({
  languageId: language,
  uri,
}: Pick<vscode.TextDocument, 'languageId' | 'uri'>): SqlDocumentKind | undefined {
  if (language === sqlLanguageId) {
    return 'sql';
  }
  const kind = /\.(table|column)\.json$/.test(uri.path) ? getDocumentOrigin(uri)?.resource.kind : undefined;
  return kind === 'table' || kind === 'column' ? kind : undefined;
}
