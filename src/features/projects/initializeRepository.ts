import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** The command of the editor's Git extension, which is missing if that is disabled or there is no Git. */
const initCommand = 'git.init';

/** A step toward a Git repository for a folder. */
interface RepositoryOffer {
  /** The label of its button. */
  readonly label: string;
  /** Why it's needed, if that isn't obvious. */
  readonly note?: string;
  readonly run: () => Promise<void>;
}

/**
 * Returns the next step toward a Git repository for a folder; `undefined` if the folder is in one already or not in the
 * workspace, or if the editor can't create one. In Restricted Mode, the editor's Git extension isn't active, so the
 * workspace must be trusted first.
 */
export async function findRepositoryOffer(folder: vscode.Uri): Promise<RepositoryOffer | undefined> {
  if (vscode.workspace.getWorkspaceFolder(folder) === undefined || (await isInRepository(folder.fsPath))) {
    return undefined;
  }
  if ((await vscode.commands.getCommands()).includes(initCommand)) {
    return { label: t('Initialize Repository'), run: () => initializeRepository(folder) };
  }
  return vscode.workspace.isTrusted
    ? undefined
    : {
        label: t('Manage Workspace Trust'),
        note: t(
          "Git isn't available in Restricted Mode. To put the project under version control, trust the workspace, and then run Git: Initialize Repository.",
        ),
        run: async () => {
          await vscode.commands.executeCommand('workbench.trust.manage');
        },
      };
}

/** Creates a Git repository. The editor asks for the folder, unless the given one is the whole workspace. */
async function initializeRepository(folder: vscode.Uri): Promise<void> {
  const workspaceFolders = vscode.workspace.workspaceFolders ?? [];
  const isWholeWorkspace = workspaceFolders.every(({ uri }) => String(uri) === String(folder));
  await vscode.commands.executeCommand(initCommand, isWholeWorkspace);
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
