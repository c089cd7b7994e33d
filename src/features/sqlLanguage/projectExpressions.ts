import type * as vscode from 'vscode';
import { isSqlLanguage } from '../../contributions.ts';
import type { FileCatalog } from '../../platform/projects/fileCatalog.ts';
import type { FileDatamodel } from '../../platform/projects/fileDatamodel.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { ItemKey } from '../../project/item.ts';
import type { ExpressionContext } from '../../sql/language.ts';

type ExpressionKey = Extract<ItemKey, { readonly kind: 'tableExpression' | 'columnExpression' }>;

/** The SQL in a file of a project; its names refer to tables and columns in the files of the project. */
export interface ProjectExpression {
  readonly datamodel: FileDatamodel;
  readonly context: ExpressionContext;
}

/**
 * Finds the expression that a file of a project contains; `undefined` for other files, and if no table refers to the
 * file.
 */
export async function findExpressionFile(
  catalogs: FileCatalogs,
  uri: vscode.Uri,
): Promise<{ readonly key: ExpressionKey; readonly catalog: FileCatalog } | undefined> {
  const file = await catalogs.find(uri);
  const { key } = (await file?.catalog.getFile(file.path)) ?? {};
  return file !== undefined && (key?.kind === 'tableExpression' || key?.kind === 'columnExpression')
    ? { key, catalog: file.catalog }
    : undefined;
}

/** Finds the SQL of a project in a document; `undefined` for other documents, and if no table refers to the file. */
export async function findProjectExpression(
  loadFileCatalogs: () => Promise<FileCatalogs>,
  { uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>,
): Promise<ProjectExpression | undefined> {
  if (uri.scheme !== 'file' || !isSqlLanguage(languageId)) {
    return undefined;
  }
  const file = await findExpressionFile(await loadFileCatalogs(), uri);
  const datamodel = await file?.catalog.getDatamodel(file.key.datamodel);
  if (file === undefined || datamodel === undefined) {
    return undefined;
  }
  const { key } = file;
  const { catalog } = datamodel;
  return {
    datamodel,
    context:
      key.kind === 'columnExpression'
        ? { kind: 'column', table: key.table, catalog }
        : { kind: 'table', catalog },
  };
}
