import * as vscode from 'vscode';
import { projectFileName } from '../../project/projectFileName.ts';

/** The maximum number of projects of the workspace that are listed. */
const maxProjects = 50;

/** Finds the folders with projects in the workspace, sorted by path. */
export async function findProjects(): Promise<readonly vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(`**/${projectFileName}`, '**/node_modules/**', maxProjects);
  return files
    .filter(({ scheme }) => scheme === 'file')
    .map((file) => vscode.Uri.joinPath(file, '..'))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en'));
}
