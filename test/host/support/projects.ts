import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { deleteFolder, getWorkspaceFolder } from './workspace.ts';

/** A project in a folder of its own. */
export class TestProject implements AsyncDisposable {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates an empty project in the workspace, which is deleted with the result. */
  static createInWorkspace(
    name: string,
    settings = '{"version": 1, "manage": {"datamodels": ["Retail"], "viewpoints": []}}',
  ): Promise<TestProject> {
    return TestProject.moveIntoWorkspace(name, { '': { 'datamodel-studio.json': settings } });
  }

  /**
   * Moves projects into a new folder of the workspace, which is deleted with the result. They appear as a whole: no part
   * of them is seen before another.
   * @param projects the texts by path of each project, by its path in the folder
   */
  static async moveIntoWorkspace(
    name: string,
    projects: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ): Promise<TestProject> {
    const source = await mkdtemp(join(tmpdir(), 'project-'));
    for (const [folder, files] of Object.entries(projects)) {
      const project = new TestProject(join(source, folder));
      for (const [path, text] of Object.entries(files)) {
        await project.write(path, text);
      }
    }
    const moved = new TestProject(join(getWorkspaceFolder(), name));
    await rename(source, moved.folder);
    return moved;
  }

  getUri(path = ''): vscode.Uri {
    return vscode.Uri.file(join(this.folder, path));
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), text);
  }

  async edit(path: string, from: string | RegExp, to: string): Promise<void> {
    const text = await this.read(path);
    assert.notEqual(text.replace(from, to), text);
    await writeFile(join(this.folder, path), text.replace(from, to));
  }

  /** Changes a file in an editor, and saves it. */
  async save(path: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.getUri(path));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    assert.ok(await document.save());
  }

  /** Like {@link edit}, but in an editor. */
  async saveEdit(path: string, from: string | RegExp, to: string): Promise<void> {
    const text = await this.read(path);
    assert.notEqual(text.replace(from, to), text);
    await this.save(path, text.replace(from, to));
  }

  /** Deletes a file as VS Code's Explorer does. */
  async delete(path: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(this.getUri(path));
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  /** Deletes the project as VS Code's Explorer does. */
  [Symbol.asyncDispose](): Promise<void> {
    return deleteFolder(this.folder);
  }
}
