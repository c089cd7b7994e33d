import * as vscode from 'vscode';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { isSqlLanguage } from '../../contributions.ts';
import { FileOrigins } from '../../documents/fileOrigins.ts';
import type { SqlLanguageDeps } from './deps.ts';
import { getResourceIdentity } from './resourceIdentity.ts';
import { type SqlFileDatamodel, SqlFileDatamodels, isSameDatamodel } from './sqlFileDatamodels.ts';
import { findExpressionFile } from './projectExpressions.ts';

/** An SQL file of the workspace, open or not. */
export interface DatamodelSqlFile {
  readonly uri: vscode.Uri;
  /** The text in the editor if the file is open, with unsaved changes. */
  readonly text: string;
  /** The expression that the file is a copy of. */
  readonly resource?: Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;
}

/** The SQL files of the workspace that belong to a datamodel. */
export interface DatamodelSqlFiles {
  readonly files: readonly DatamodelSqlFile[];
  /**
   * Set if the workspace has more SQL files than this, so that files without a picked datamodel or an origin of their
   * own were not read.
   */
  readonly exceededLimit?: number;
}

/** The sources from which the datamodel of an SQL file is determined. */
export interface SqlFileSources extends Pick<SqlLanguageDeps, 'loadFileCatalogs'> {
  readonly fileDatamodels: SqlFileDatamodels;
}

/**
 * If the workspace has more SQL files than this, only those with a picked datamodel or an origin of their own are read.
 */
const maxCandidateFiles = 500;

/**
 * Reads the SQL files of the workspace that belong to a datamodel, except documents of servers, and files that a table
 * of a project refers to. Files without a picked datamodel or an origin of their own belong to the datamodel that was
 * picked last; those are searched for by their suffix.
 */
export async function findDatamodelSqlFiles(
  { fileDatamodels, loadFileCatalogs }: SqlFileSources,
  datamodel: SqlFileDatamodel,
): Promise<DatamodelSqlFiles> {
  const openDocuments = new Map(
    vscode.workspace.textDocuments
      .filter(({ uri, languageId }) => isSqlLanguage(languageId) && isEditableFile(uri))
      .map((document) => [String(document.uri), document]),
  );
  const assignedFiles = fileDatamodels.getFiles(datamodel).map((file) => vscode.Uri.parse(file));
  const candidateFiles = fileDatamodels.isLatestPick(datamodel)
    ? await vscode.workspace.findFiles('**/*.datamodel.sql', '**/node_modules/**', maxCandidateFiles + 1)
    : [];
  const hasTooManyFiles = candidateFiles.length > maxCandidateFiles;
  const unopenedFiles = [...assignedFiles, ...(hasTooManyFiles ? [] : candidateFiles)].filter(
    (uri) => uri.path.toLowerCase().endsWith('.sql') && isEditableFile(uri),
  );
  const uris = new Map(
    [...[...openDocuments.values()].map(({ uri }) => uri), ...unopenedFiles].map((uri) => [String(uri), uri]),
  );
  const catalogs = await loadFileCatalogs();
  const files = await Promise.all(
    [...uris].map(async ([key, uri]): Promise<readonly DatamodelSqlFile[]> => {
      const fileDatamodel =
        (await findExpressionFile(catalogs, uri)) === undefined ? fileDatamodels.get(key) : undefined;
      if (fileDatamodel === undefined || !isSameDatamodel(fileDatamodel, datamodel)) {
        return [];
      }
      const text = openDocuments.get(key)?.getText() ?? (await readText(uri));
      const { resource } = fileDatamodel;
      return text === undefined ? [] : [{ uri, text, ...(resource === undefined ? {} : { resource }) }];
    }),
  );
  return { files: files.flat(), ...(hasTooManyFiles ? { exceededLimit: maxCandidateFiles } : {}) };
}

/**
 * Like {@link findDatamodelSqlFiles}, with the stored picked datamodels and origins; for callers outside the SQL
 * language features.
 */
export function findDatamodelSqlFilesFromStorage(
  {
    pickedDatamodelStorage,
    fileOriginStorage,
    loadFileCatalogs,
  }: Pick<SqlLanguageDeps, 'pickedDatamodelStorage' | 'fileOriginStorage' | 'loadFileCatalogs'>,
  datamodel: SqlFileDatamodel,
): Promise<DatamodelSqlFiles> {
  const fileDatamodels = new SqlFileDatamodels(
    new PickedDatamodels(pickedDatamodelStorage),
    new FileOrigins(fileOriginStorage),
  );
  return findDatamodelSqlFiles({ fileDatamodels, loadFileCatalogs }, datamodel);
}

/** Returns whether a URI is that of a file that can be changed, unlike a version provided by source control. */
const isEditableFile = (uri: vscode.Uri): boolean =>
  getResourceIdentity(uri) === undefined &&
  (uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true);

/** Reads a file as the editor would; `undefined` if it was deleted or cannot be read. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  } catch {
    return undefined;
  }
}
