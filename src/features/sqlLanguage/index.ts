import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { isSqlLanguage, schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { SqlLanguageDeps } from './deps.ts';
import type { SqlFileDatamodel } from './sqlFileDatamodels.ts';
import type { DatamodelSqlFiles } from './datamodelSqlFiles.ts';

/** Registers the SQL language features; their code is loaded with the first document that contains SQL. */
export function register(deps: SqlLanguageDeps): Disposable {
  const store = new DisposableStore();
  const getLanguage = lazy(async () => {
    const { SqlLanguage } = await import('./language.ts');
    return store.add(new SqlLanguage(deps));
  });
  const loadIfSql = (document: vscode.TextDocument): void => {
    if (mayContainSql(document)) {
      getLanguage().catch((error: unknown) => {
        deps.log.error('sql', 'The language did not load', { reason: String(error) });
      });
    }
  };
  store.add(vscode.workspace.onDidOpenTextDocument(loadIfSql));
  store.add(
    registerCommand('datamodelStudio.sql.pickDatamodel', deps.log, async () =>
      (await getLanguage()).pickDatamodel(),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.sql.checkExpression', deps.log, async () =>
      (await getLanguage()).checkExpression(),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.sql.openExpression', deps.log, async () =>
      (await getLanguage()).openExpression(),
    ),
  );
  vscode.workspace.textDocuments.forEach(loadIfSql);
  return store;
}

/** Returns a function that finds the SQL files of the workspace that belong to a datamodel; loaded on first use. */
export const createSqlFileFinder =
  (deps: Pick<SqlLanguageDeps, 'pickedDatamodelStorage' | 'fileOriginStorage' | 'loadFileCatalogs'>) =>
  async (datamodel: SqlFileDatamodel): Promise<DatamodelSqlFiles> =>
    (await import('./datamodelSqlFiles.ts')).findDatamodelSqlFilesFromStorage(deps, datamodel);

/** Returns whether a document is SQL, or the JSON of a table or column of a server, which may contain SQL. */
const mayContainSql = ({ languageId, uri }: vscode.TextDocument): boolean =>
  isSqlLanguage(languageId) ||
  ((uri.scheme === schemes.document || uri.scheme === schemes.view) &&
    /\.(table|column)\.json$/.test(uri.path));
