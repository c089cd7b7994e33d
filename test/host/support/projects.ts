import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** A project in a folder of its own. */
export class TestProject implements AsyncDisposable {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates an empty project in the workspace, which is deleted with the result. */
  static async createInWorkspace(
    name: string,
    settings = '{"version": 1, "manage": {"datamodels": ["Retail"], "viewpoints": []}}',
  ): Promise<TestProject> {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const project = new TestProject(join(workspace.uri.fsPath, name));
    await project.write('datamodel-studio.json', settings);
    return project;
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

  async [Symbol.asyncDispose](): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(this.getUri(), { recursive: true, ignoreIfNotExists: true });
    await vscode.workspace.applyEdit(edit);
  }
}
