import * as vscode from 'vscode';
import { getInnerPath } from '../../project/innerPath.ts';

/** Returns the paths of the files in a folder that have unsaved changes in an editor, with `/` between the folders. */
export const getUnsavedPaths = (folder: string): readonly string[] =>
  vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .flatMap(({ uri }) => getInnerPath(folder, uri.fsPath) ?? []);
