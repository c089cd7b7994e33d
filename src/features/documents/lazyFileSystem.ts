import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** Notifies VS Code that files may have changed or were deleted. */
export type FireFileChanges = (uris: readonly vscode.Uri[], kind?: 'changed' | 'deleted') => void;

/** The operations of the file system, loaded when the first file is opened. */
export interface RemoteFileSystem extends Disposable {
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  read(uri: vscode.Uri): Promise<Uint8Array>;
  write(uri: vscode.Uri, content: Uint8Array): Promise<void>;
  list(uri: vscode.Uri): readonly [string, vscode.FileType][];
}

/** A file system that is registered on activation and loads its implementation on first use. */
export class LazyFileSystem<Files extends RemoteFileSystem> implements vscode.FileSystemProvider, Disposable {
  readonly #load: (fireChanged: FireFileChanges) => Promise<Files>;
  readonly #store = new DisposableStore();
  readonly #onDidChangeFile = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  #fileSystem: Promise<Files> | undefined;

  constructor(load: (fireChanged: FireFileChanges) => Promise<Files>) {
    this.#load = load;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.load()).stat(uri);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.load()).read(uri);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await (await this.load()).write(uri, content);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return [...(await this.load()).list(uri)];
  }

  /** Does nothing: changes are reported for all open documents, whether they are watched or not. */
  watch(): vscode.Disposable {
    return { dispose() {} };
  }

  createDirectory(): never {
    throw createUnsupportedError();
  }

  delete(): never {
    throw createUnsupportedError();
  }

  rename(): never {
    throw createUnsupportedError();
  }

  dispose(): void {
    const fileSystem = this.#fileSystem;
    this.#store.dispose();
    void fileSystem?.then(
      (files) => files.dispose(),
      () => undefined,
    );
  }

  /** Loads the implementation. A failure is not kept, so the next use tries again. */
  load(): Promise<Files> {
    this.#fileSystem ??= this.#load((uris, kind) => {
      const type = kind === 'deleted' ? vscode.FileChangeType.Deleted : vscode.FileChangeType.Changed;
      this.#onDidChangeFile.fire(uris.map((uri) => ({ type, uri })));
    })
      .then((files) => this.#store.add(files))
      .catch((error: unknown) => {
        this.#fileSystem = undefined;
        throw error;
      });
    return this.#fileSystem;
  }
}

/** Creates the error for operations that need a review, which the file commands of VS Code cannot show. */
const createUnsupportedError = (): vscode.FileSystemError =>
  vscode.FileSystemError.NoPermissions(
    vscode.l10n.t('Use the Connections view to create, rename, or delete server resources.'),
  );
