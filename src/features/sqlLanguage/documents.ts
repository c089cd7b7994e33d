import type * as vscode from 'vscode';
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
