import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';
import { startHostSandbox } from './suite.ts';

/** Files on the disk, outside of a workspace; they are removed with the suite. */
export class TestFiles {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(disposables: AsyncDisposableStack): Promise<TestFiles> {
    return new TestFiles(disposables.use(await createTemporaryFolder()).path);
  }

  /** The URI of a file, which need not exist. */
  getUri(name: string): vscode.Uri {
    return vscode.Uri.file(join(this.#folder, name));
  }

  async write(name: string, text: string): Promise<vscode.Uri> {
    const uri = this.getUri(name);
    await writeFile(uri.fsPath, text);
    return uri;
  }

  /** Writes a file and opens it as text. */
  async open(name: string, text: string): Promise<vscode.TextEditor> {
    const uri = await this.write(name, text);
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document, { preview: false });
  }
}

/** Prepares a suite on a sandbox with the demo data whose tests have files. */
export async function prepareSandboxAndFiles(disposables: AsyncDisposableStack) {
  const sandbox = disposables.use(await startHostSandbox());
  const files = await TestFiles.create(disposables);
  return { sandbox, files, options: { env: sandbox.env, settings: { 'files.autoSave': 'off' } } };
}
