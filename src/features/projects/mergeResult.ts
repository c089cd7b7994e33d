import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

/**
 * The file that a merge editor writes its result to, in memory: Auto Save also saves a result with marked conflicts,
 * which must not reach the file of the project.
 */
export class MergeResultFile implements vscode.FileSystemProvider {
  readonly uri: vscode.Uri;
  readonly #onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #registration: vscode.Disposable;
  readonly #save: (text: string) => Promise<void>;
  #bytes: Uint8Array;
  /** Counts the saves; the editor expects that the time of a file increases. */
  #revision = 1;

  /**
   * @param file the file that is merged; the result has its name, and therefore its language
   * @param save called with a text before it counts as saved; if it throws, the editor shows why, and stays unsaved
   */
  constructor(file: vscode.Uri, text: string, save: (text: string) => Promise<void>) {
    this.#save = save;
    // The editor may still have the text of an earlier merge.
    this.uri = vscode.Uri.from({ scheme: schemes.projectMerge, path: file.path, query: String(Date.now()) });
    this.#bytes = new TextEncoder().encode(text);
    this.#registration = vscode.workspace.registerFileSystemProvider(schemes.projectMerge, this, {
      isCaseSensitive: true,
    });
  }

  /** The text as it was last saved. */
  get text(): string {
    return new TextDecoder().decode(this.#bytes);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    this.#requireFile(uri);
    const { length: size } = this.#bytes;
    return { type: vscode.FileType.File, ctime: 0, mtime: this.#revision, size };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    this.#requireFile(uri);
    return this.#bytes;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    this.#requireFile(uri);
    await this.#save(new TextDecoder().decode(content));
    this.#bytes = content;
    this.#revision += 1;
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /** Does nothing: changes are reported to the editor whether the file is watched or not. */
  watch(): vscode.Disposable {
    return { dispose() {} };
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#onDidChangeFile.dispose();
  }

  #requireFile(uri: vscode.Uri): void {
    if (String(uri) !== String(this.uri)) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }
}
