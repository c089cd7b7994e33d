import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { ensurePrivateFolder } from '../../base/storage/privateFiles.ts';
import { type BaseStorage, type StoredBase, getStableStoragePath } from '../../documents/baseStorage.ts';

const storedBaseSchema = z.object({
  path: z.string(),
  text: z.string(),
  mtime: z.number(),
  size: z.number(),
});

/**
 * Stores the bases of unsaved documents, with secrets masked: the server's text that the user's edits started from.
 * There is one file per document and base. If windows that share the folder have stored different bases for a document,
 * none of them is used.
 */
export class BaseFiles implements BaseStorage {
  readonly #folder: vscode.Uri;

  /** @param storage the storage folder that VS Code provides for the workspace */
  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage.with({ path: getStableStoragePath(storage.path) }), 'bases');
  }

  async read(path: string): Promise<StoredBase | undefined> {
    const [name, ...otherNames] = await this.#listFileNames(path);
    if (name === undefined || otherNames.length > 0) {
      return undefined;
    }
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#folder, name));
    const storedBase = parseBase(new TextDecoder().decode(bytes));
    return storedBase?.path === path ? storedBase : undefined;
  }

  async write(path: string, base: StoredBase): Promise<void> {
    await ensurePrivateFolder(this.#folder.fsPath);
    const file = vscode.Uri.joinPath(this.#folder, `${getFilePrefix(path)}${hashText(base.text)}.json`);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ path, ...base })));
  }

  async delete(path: string): Promise<void> {
    for (const name of await this.#listFileNames(path)) {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(this.#folder, name));
    }
  }

  async #listFileNames(path: string): Promise<readonly string[]> {
    try {
      const entries = await vscode.workspace.fs.readDirectory(this.#folder);
      return entries.map(([name]) => name).filter((name) => name.startsWith(getFilePrefix(path)));
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
        return [];
      }
      throw error;
    }
  }
}

function parseBase(text: string): z.infer<typeof storedBaseSchema> | undefined {
  try {
    return storedBaseSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // The file is incomplete if its window was killed while writing. Without a base, a save asks the user.
    return undefined;
  }
}

const getFilePrefix = (path: string): string => `${hashText(path)}-`;
const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
