import { relative, sep } from 'node:path';
import * as vscode from 'vscode';

/** Returns the paths of the files in a folder that have unsaved changes in an editor, with `/` between the folders. */
export const getUnsavedPaths = (folder: string): readonly string[] =>
  vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .map(({ uri }) => relative(folder, uri.fsPath).split(sep).join('/'));
