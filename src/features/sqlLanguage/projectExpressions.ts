import type * as vscode from 'vscode';
import { isSqlLanguage } from '../../contributions.ts';
import type { FileDatamodel } from '../../platform/projects/fileCatalog.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { ExpressionContext } from '../../sql/language.ts';

/** The SQL in a file of a project, whose names are those of the project's files. */
export interface ProjectExpression {
  readonly datamodel: FileDatamodel;
  readonly context: ExpressionContext;
}

/** Finds the SQL of a project in a document; `undefined` for other documents, and if no table refers to the file. */
export async function findProjectExpression(
  loadFileCatalogs: () => Promise<FileCatalogs>,
  { uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>,
): Promise<ProjectExpression | undefined> {
  if (uri.scheme !== 'file' || !isSqlLanguage(languageId)) {
    return undefined;
  }
  const file = await (await loadFileCatalogs()).find(uri);
  const { key } = (await file?.catalog.getFile(file.path)) ?? {};
  if (file === undefined || (key?.kind !== 'tableExpression' && key?.kind !== 'columnExpression')) {
    return undefined;
  }
  const datamodel = await file.catalog.getDatamodel(key.datamodel);
  if (datamodel === undefined) {
    return undefined;
  }
  const { catalog } = datamodel;
  return {
    datamodel,
    context:
      key.kind === 'columnExpression'
        ? { kind: 'column', table: key.table, catalog }
        : { kind: 'table', catalog },
  };
}
