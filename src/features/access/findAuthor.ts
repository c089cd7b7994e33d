import { userInfo } from 'node:os';
import * as vscode from 'vscode';

/** The part of the API of VS Code's Git extension that is used. */
interface GitExtension {
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): {
      getConfig(key: string): Promise<string>;
      getGlobalConfig(key: string): Promise<string>;
    } | null;
  };
}

/** Returns the name of the user in the Git configuration of a file's repository, or else in the operating system. */
export async function findAuthor(file: vscode.Uri | undefined): Promise<string> {
  return (file === undefined ? undefined : await findGitName(file)) ?? userInfo().username;
}

async function findGitName(file: vscode.Uri): Promise<string | undefined> {
  try {
    const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    const repository = git?.getAPI(1).getRepository(file);
    // A repository without a name of its own uses the one in the user's global configuration.
    const names = [
      await repository?.getConfig('user.name').catch(() => ''),
      await repository?.getGlobalConfig('user.name').catch(() => ''),
    ];
    return names.map((name) => name?.trim()).find((name) => name);
  } catch {
    // Git is turned off or not installed.
    return undefined;
  }
}
