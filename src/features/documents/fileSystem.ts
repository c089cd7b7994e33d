import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { isAffected } from '../../catalog/changes.ts';
import type { SessionChange } from '../../connections/sessions.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { DocumentsDeps } from './deps.ts';
import { fileError } from './fileErrors.ts';
import type { RemoteFileSystem, TellChanged } from './lazyFileSystem.ts';

/** The documents of all connections as the editor's files. */
export function openFileSystem(deps: DocumentsDeps, changed: TellChanged): RemoteFileSystem {
  return new DocumentFileSystem(deps, changed);
}

export const documentUri = (path: string): vscode.Uri => vscode.Uri.from({ scheme: schemes.document, path });

class DocumentFileSystem implements RemoteFileSystem, Disposable {
  readonly #log: Log;
  readonly #changed: TellChanged;
  readonly #documents: RemoteDocuments;
  readonly #store = new DisposableStore();
  /** Documents that may have changed on the server and are open, but not on the screen. */
  readonly #stale = new Set<string>();

  constructor(deps: DocumentsDeps, changed: TellChanged) {
    this.#log = deps.log;
    this.#changed = changed;
    this.#documents = new RemoteDocuments({ ...deps, editor: { isDirty } });
    this.#store.add(deps.sessions.onDidChangeCatalog((change) => this.#invalidate(change)));
    this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#refreshVisible()));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#cleaned(document)));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === schemes.document) {
          this.#stale.delete(uri.path);
          this.#documents.closed(uri.path);
        }
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (this.#isFolder(uri.path)) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { mtime, size, isReadOnly } = await this.#told(uri, this.#documents.stat(uri.path));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size,
      ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  read(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#told(uri, this.#documents.read(uri.path));
  }

  write(uri: vscode.Uri): Promise<void> {
    return Promise.reject(vscode.FileSystemError.NoPermissions(uri));
  }

  /** A folder shows what is open in it: listing a server is the explorer's. */
  list(uri: vscode.Uri): readonly [string, vscode.FileType][] {
    const names = new Map<string, vscode.FileType>();
    for (const path of openPaths()) {
      if (path.startsWith(folderPrefix(uri.path))) {
        const [name = '', ...below] = path.slice(folderPrefix(uri.path).length).split('/');
        names.set(name, below.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
      }
    }
    return [...names];
  }

  dispose(): void {
    this.#store.dispose();
  }

  #isFolder(path: string): boolean {
    return (
      path === '/' ||
      (readDocumentPath(path) === undefined &&
        openPaths().some((open) => open.startsWith(folderPrefix(path))))
    );
  }

  /** Errors as the editor tells them. */
  async #told<T>(uri: vscode.Uri, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.#log.warn('documents', 'A document could not be read', { reason: String(error) });
      throw fileError(uri, error);
    }
  }

  #invalidate({ connectionId, change }: SessionChange): void {
    for (const path of openPaths()) {
      const document = readDocumentPath(path);
      if (document?.connectionId === connectionId && isAffected(document.resource, change)) {
        this.#documents.changed(path);
        this.#stale.add(path);
      }
    }
    this.#refreshVisible();
  }

  /** What is on the screen is read anew at once, the rest when the editor shows it. */
  #refreshVisible(): void {
    const visible = vscode.window.visibleTextEditors.map(({ document: { uri } }) => uri);
    const stale = visible.filter(
      ({ scheme, path }) => scheme === schemes.document && this.#stale.delete(path),
    );
    if (stale.length > 0) {
      this.#changed(stale);
    }
  }

  #cleaned(document: vscode.TextDocument): void {
    if (document.uri.scheme === schemes.document && !document.isDirty) {
      this.#documents.cleaned(document.uri.path, document.getText());
    }
  }
}

const openPaths = (): readonly string[] =>
  vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === schemes.document ? [uri.path] : []));

const isDirty = (path: string): boolean =>
  vscode.workspace.textDocuments.some(
    ({ uri, isDirty: dirty }) => dirty && uri.scheme === schemes.document && uri.path === path,
  );

const folderPrefix = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
