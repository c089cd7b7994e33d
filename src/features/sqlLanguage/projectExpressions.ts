import type * as vscode from 'vscode';
import { isSqlLanguage, schemes } from '../../contributions.ts';
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
  const file = await catalogs.findItemFile(uri);
  const { key } = (await file?.catalog.getFileContext(file.path)) ?? {};
  return file !== undefined && (key?.kind === 'tableExpression' || key?.kind === 'columnExpression')
    ? { key, catalog: file.catalog }
    : undefined;
}

/**
 * Returns the URI of a file. Its version on the server, with which it's compared, has the same path (`serverTexts.ts`):
 * the names of the project are the best ones that are known for both.
 */
const getFileUri = (uri: vscode.Uri): vscode.Uri =>
  uri.scheme === schemes.projectVersion ? uri.with({ scheme: 'file', query: '' }) : uri;

/**
 * Finds the SQL of a project in a file or its version on the server; `undefined` for other documents, and if no table
 * refers to the file.
 */
export async function findProjectExpression(
  loadFileCatalogs: () => Promise<FileCatalogs>,
  { uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>,
): Promise<ProjectExpression | undefined> {
  const fileUri = getFileUri(uri);
  if (fileUri.scheme !== 'file' || !isSqlLanguage(languageId)) {
    return undefined;
  }
  const file = await findExpressionFile(await loadFileCatalogs(), fileUri);
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
