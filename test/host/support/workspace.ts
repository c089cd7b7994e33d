import assert from 'node:assert/strict';
import fs from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Patches } from './patches.ts';

/** Returns the path of the folder that the editor has opened. */
export function getWorkspaceFolder(): string {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(workspace);
  return workspace.uri.fsPath;
}

/**
 * Deletes a folder of the workspace as VS Code's Explorer does.
 * @throws AssertionError that names what is left of it
 */
export async function deleteFolder(path: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(vscode.Uri.file(path), { recursive: true, ignoreIfNotExists: true });
  const isDeleted = await vscode.workspace.applyEdit(edit);
  const remainingEntries = await listEntries(path);
  assert.ok(
    isDeleted && remainingEntries === undefined,
    `${path} isn't deleted. Left in it: ${remainingEntries?.join(', ')}`,
  );
}

/** From now on until the result is disposed, new file watchers report nothing, as in some file systems. */
export function silenceWatchers(): Disposable {
  const patches = new Patches();
  const subscribe = () => ({ dispose: () => undefined });
  const watcher = {
    onDidCreate: subscribe,
    onDidChange: subscribe,
    onDidDelete: subscribe,
    dispose: () => undefined,
  };
  patches.replace(vscode.workspace, 'createFileSystemWatcher', () => () => watcher);
  patches.replace(fs, 'watch', () => () => {
    throw new Error('Not supported');
  });
  // The extension imports the functions of this module by their names.
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      patches[Symbol.dispose]();
      syncBuiltinESMExports();
    },
  };
}

/** Finds files that a test has left in the workspace, so that this test fails, and not all that follow. */
export class WorkspaceCheck {
  readonly #folder = getWorkspaceFolder();
  readonly #expectedNames: ReadonlySet<string>;

  private constructor(expectedNames: readonly string[]) {
    this.#expectedNames = new Set(expectedNames);
  }

  /** Creates a check by which everything that is in the workspace now may stay. */
  static async create(): Promise<WorkspaceCheck> {
    return new WorkspaceCheck(await readdir(getWorkspaceFolder()));
  }

  /** Deletes everything else in the workspace, and returns the paths. */
  async removeLeftovers(): Promise<readonly string[]> {
    const names = (await readdir(this.#folder)).filter((name) => !this.#expectedNames.has(name));
    const removedPaths: string[] = [];
    for (const name of names) {
      const path = join(this.#folder, name);
      removedPaths.push(name, ...((await listEntries(path)) ?? []).map((entry) => join(name, entry)));
      await rm(path, { recursive: true, force: true });
    }
    return removedPaths;
  }
}

/** Returns the paths of all that is in a folder, relative to it; `undefined` if it doesn't exist. */
async function listEntries(path: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(path, { recursive: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw error;
  }
}
