import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** The command of the editor's Git extension, which is missing if that is disabled or there is no Git. */
const command = 'git.init';

/** Returns whether a folder is in the workspace, but in no Git repository, and the editor can create one. */
export async function canInitializeRepository(folder: vscode.Uri): Promise<boolean> {
  return (
    vscode.workspace.getWorkspaceFolder(folder) !== undefined &&
    !(await isInRepository(folder.fsPath)) &&
    (await vscode.commands.getCommands()).includes(command)
  );
}

/** Creates a Git repository. The editor asks for the folder, unless the given one is the whole workspace. */
export async function initializeRepository(folder: vscode.Uri): Promise<void> {
  const workspaceFolders = vscode.workspace.workspaceFolders ?? [];
  const isWholeWorkspace = workspaceFolders.every(({ uri }) => String(uri) === String(folder));
  await vscode.commands.executeCommand(command, isWholeWorkspace);
}

/** Returns whether a folder, or one that contains it, is the root of a Git repository or worktree. */
async function isInRepository(folder: string): Promise<boolean> {
  try {
    await access(join(folder, '.git'));
    return true;
  } catch {
    const parent = dirname(folder);
    return parent !== folder && isInRepository(parent);
  }
}
