import * as vscode from 'vscode';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { isSqlLanguage } from '../../contributions.ts';
import { DocumentLinks } from '../../documents/documentLinks.ts';
import type { SqlLanguageDeps } from './deps.ts';
import { getResourceIdentity } from './resourceIdentity.ts';
import { type FileDatamodel, FileDatamodels, isSameDatamodel } from './fileDatamodels.ts';

/** An SQL file of the workspace, open or not. */
export interface LinkedFile {
  readonly uri: vscode.Uri;
  /** The text in the editor if the file is open, with unsaved changes. */
  readonly text: string;
  /** The expression that the file is a copy of. */
  readonly resource?: Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;
}

/** The SQL files of the workspace that belong to a datamodel. */
export interface LinkedFiles {
  readonly files: readonly LinkedFile[];
  /** Set if there are so many files for which nothing was picked that they were not read. */
  readonly unreadLimit?: number;
}

/** With more SQL files than this, only those with a datamodel of their own are read. */
const maxOtherFiles = 500;

/**
 * Reads the SQL files of the workspace that belong to a datamodel, except documents of servers. Files for which nothing
 * was picked belong to the latest pick; they are found by their names.
 */
export async function findLinkedFiles(
  fileDatamodels: FileDatamodels,
  datamodel: FileDatamodel,
): Promise<LinkedFiles> {
  const openDocuments = new Map(
    vscode.workspace.textDocuments
      .filter(({ uri, languageId }) => isSqlLanguage(languageId) && isEditableFile(uri))
      .map((document) => [String(document.uri), document]),
  );
  const ownFiles = fileDatamodels.getFiles(datamodel).map((file) => vscode.Uri.parse(file));
  const otherFiles = fileDatamodels.hasOtherFiles(datamodel)
    ? await vscode.workspace.findFiles('**/*.datamodel.sql', '**/node_modules/**', maxOtherFiles + 1)
    : [];
  const isTooMany = otherFiles.length > maxOtherFiles;
  const unopenedFiles = [...ownFiles, ...(isTooMany ? [] : otherFiles)].filter(
    (uri) => uri.path.toLowerCase().endsWith('.sql') && isEditableFile(uri),
  );
  const uris = new Map(
    [...[...openDocuments.values()].map(({ uri }) => uri), ...unopenedFiles].map((uri) => [String(uri), uri]),
  );
  const files = await Promise.all(
    [...uris].map(async ([key, uri]): Promise<readonly LinkedFile[]> => {
      const ownDatamodel = fileDatamodels.get(key);
      if (ownDatamodel === undefined || !isSameDatamodel(ownDatamodel, datamodel)) {
        return [];
      }
      const text = openDocuments.get(key)?.getText() ?? (await readText(uri));
      const { resource } = ownDatamodel;
      return text === undefined ? [] : [{ uri, text, ...(resource === undefined ? {} : { resource }) }];
    }),
  );
  return { files: files.flat(), ...(isTooMany ? { unreadLimit: maxOtherFiles } : {}) };
}

/** The same with what is stored of the files, for features that do not need the rest of the SQL language. */
export function findStoredLinkedFiles(
  {
    pickedDatamodelStorage,
    documentLinks,
  }: Pick<SqlLanguageDeps, 'pickedDatamodelStorage' | 'documentLinks'>,
  datamodel: FileDatamodel,
): Promise<LinkedFiles> {
  const fileDatamodels = new FileDatamodels(
    new PickedDatamodels(pickedDatamodelStorage),
    new DocumentLinks(documentLinks),
  );
  return findLinkedFiles(fileDatamodels, datamodel);
}

/** Returns whether a URI is that of a file that can be changed; a version in a source control cannot. */
const isEditableFile = (uri: vscode.Uri): boolean =>
  getResourceIdentity(uri) === undefined &&
  (uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true);

/** Reads a file as the editor would; `undefined` if it is gone or cannot be read. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  } catch {
    return undefined;
  }
}
