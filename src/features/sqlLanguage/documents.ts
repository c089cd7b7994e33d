import type * as vscode from 'vscode';
import type { DocumentKind } from '../../sql/embedded/tableJson.ts';
import { originOf } from './origin.ts';

export const languageId = 'datamodel-sql';

/** What of a document is SQL: all of it, or the expressions of a table's or column's JSON. */
export type SqlDocumentKind = 'sql' | DocumentKind;

/**
 * What of a document is SQL; `undefined` for documents that are none of ours. `.table.json` is a common name in
 * workspaces: it is ours where the document shows a resource of a server (design.md, section 2).
 */
export function sqlDocumentKind({
  languageId: language,
  uri,
}: Pick<vscode.TextDocument, 'languageId' | 'uri'>): SqlDocumentKind | undefined {
  if (language === languageId) {
    return 'sql';
  }
  const kind = /\.(table|column)\.json$/.test(uri.path) ? originOf(uri)?.resource.kind : undefined;
  return kind === 'table' || kind === 'column' ? kind : undefined;
}
