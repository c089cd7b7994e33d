import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { mayBeAffected } from '../../catalog/catalogChanges.ts';
import type { CatalogChangeEvent } from '../../connections/sessions.ts';
import { schemes } from '../../contributions.ts';
import { getDocumentPath, readDocumentPath } from '../../documents/documentAddress.ts';
import { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { RuleAliases } from '../../documents/ruleAliases.ts';
import { BaseFiles } from './baseFiles.ts';
import type { DocumentsDeps } from './deps.ts';
import { DocumentSaves } from './documentSaves.ts';
import { toDocumentUri, findOpenDocument, getOpenPaths, getVisibleDocumentUris } from './openDocuments.ts';
import { toFileError, isNotFound, toReadError } from './fileErrors.ts';
import { registerInlayHints } from './inlayHints.ts';
import type { RemoteFileSystem, FireFileChanges } from './lazyFileSystem.ts';
import { ServerVersions } from './serverVersions.ts';

/** The file system for the documents of all connections. */
export class DocumentFileSystem implements RemoteFileSystem, Disposable {
  readonly documents: RemoteDocuments;
  readonly #log: Log;
  readonly #fireChanged: FireFileChanges;
  readonly #store = new DisposableStore();
  readonly #saves: DocumentSaves;
  /** The paths of open documents that may have changed on the server and have not been visible since. */
  readonly #stalePaths = new Set<string>();
  /** The paths of open documents that no longer exist on the server. */
  readonly #deletedPaths = new Set<string>();

  constructor(deps: DocumentsDeps, fireChanged: FireFileChanges) {
    this.#log = deps.log;
    this.#fireChanged = fireChanged;
    this.documents = new RemoteDocuments({
      sessions: deps.sessions,
      getWriter: async () => (await deps.changeServices()).writer,
      clock: deps.clock,
      editor: { isDirty: (path) => this.#isDirty(path) },
      baseStorage: new BaseFiles(deps.storageFolder),
      aliases: new RuleAliases(deps.ruleAliasStorage),
    });
    const versions = new ServerVersions(this.documents);
    this.#saves = this.#store.add(new DocumentSaves(deps, this.documents, versions));
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.serverVersion, versions));
    this.#store.add(registerInlayHints(deps));
    this.#store.add(deps.sessions.onDidChangeCatalog((change) => this.#invalidate(change)));
    this.#registerListeners();
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const path = getDocumentPath(uri);
    if (readDocumentPath(path) === undefined && isFolder(uri)) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { mtime, size, isReadOnly } = await this.#withFileErrors(uri, this.documents.stat(path));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size,
      ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  read(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#withFileErrors(uri, this.documents.read(getDocumentPath(uri)));
  }

  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const path = getDocumentPath(uri);
    if (readDocumentPath(path) === undefined) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t("Server resources can't be created by saving a file. Use the Connections view."),
      );
    }
    try {
      await this.#saves.write(uri, content);
    } catch (error) {
      this.#log.warn('documents', 'A document was not saved', { reason: String(error) });
      throw toFileError(error);
    }
    if (findOpenDocument(path) === undefined) {
      await this.#fireChangesAfterSave(path);
    }
  }

  /** Merges the server's version into an open document. */
  mergeOpenDocument(path: string): Promise<void> {
    return this.#saves.merge(path);
  }

  /** Lists the open documents of a folder; the contents of a server are only listed in the Connections view. */
  list(uri: vscode.Uri): readonly [string, vscode.FileType][] {
    const names = new Map<string, vscode.FileType>();
    for (const { path } of getOpenUrisWithin(uri)) {
      const [name = '', ...nestedSegments] = path.slice(getFolderPrefix(uri).length).split('/');
      names.set(name, nestedSegments.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    return [...names];
  }

  dispose(): void {
    this.#store.dispose();
  }

  #isDirty(path: string): boolean {
    const document = findOpenDocument(path);
    return document !== undefined && this.#saves.unsavedDocuments.isDirty(document);
  }

  #registerListeners(): void {
    const { workspace, window } = vscode;
    this.#store.add(window.onDidChangeVisibleTextEditors(() => this.#refreshVisible()));
    this.#store.add(window.tabGroups.onDidChangeTabs(() => this.#refreshVisible()));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.#handleEdit(document)));
    this.#store.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === schemes.document) {
          void this.#fireChangesAfterSave(getDocumentPath(uri));
          void this.#revealCreatedRule(uri);
        }
      }),
    );
    this.#store.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === schemes.document) {
          const path = getDocumentPath(uri);
          this.#stalePaths.delete(path);
          this.#deletedPaths.delete(path);
          this.documents.handleClose(path);
        }
      }),
    );
  }

  /**
   * Converts the error of a read to one of VS Code. When an open document no longer exists, fires one deletion event
   * for it.
   */
  async #withFileErrors<T>(uri: vscode.Uri, promise: Promise<T>): Promise<T> {
    const path = getDocumentPath(uri);
    try {
      const result = await promise;
      this.#deletedPaths.delete(path);
      return result;
    } catch (error) {
      this.#log.warn('documents', 'A document was not read', { reason: String(error) });
      if (isNotFound(error) && !this.#deletedPaths.has(path) && findOpenDocument(path) !== undefined) {
        this.#deletedPaths.add(path);
        this.#fireChanged([uri], 'deleted');
      }
      throw toReadError(uri, error);
    }
  }

  /**
   * Fires changes after VS Code has completed a save: for the document if the server stored it differently, and for
   * open documents that are read with the same request.
   */
  async #fireChangesAfterSave(path: string): Promise<void> {
    try {
      const hasChanged = await this.documents.acknowledgeSave(path);
      this.#fireChanged(
        [...(hasChanged ? [path] : []), ...this.documents.getSiblings(path)].map(toDocumentUri),
      );
    } catch (error) {
      this.#log.warn('documents', 'A saved document was not read again', { reason: String(error) });
    }
  }

  async #revealCreatedRule(uri: vscode.Uri): Promise<void> {
    try {
      await this.#saves.revealCreatedRule(uri);
    } catch (error) {
      this.#log.warn('documents', 'A created rule was not shown', { reason: String(error) });
    }
  }

  #invalidate({ connectionId, change }: CatalogChangeEvent): void {
    for (const path of getOpenPaths()) {
      const identity = readDocumentPath(path);
      if (identity?.connectionId === connectionId && mayBeAffected(identity.resource, change)) {
        this.documents.handleServerChange(path);
        this.#stalePaths.add(path);
      }
    }
    this.#refreshVisible();
  }

  /** Fires changes for the visible stale documents; the others follow when they become visible. */
  #refreshVisible(): void {
    const staleUris = getVisibleDocumentUris().filter((uri) => this.#stalePaths.delete(getDocumentPath(uri)));
    if (staleUris.length > 0) {
      this.#fireChanged(staleUris);
    }
  }

  #handleEdit(document: vscode.TextDocument): void {
    if (document.uri.scheme !== schemes.document) {
      return;
    }
    const path = getDocumentPath(document.uri);
    if (!document.isDirty) {
      this.documents.handleUndoneChanges(path, document.getText());
      return;
    }
    void this.documents.handleEdit(path).catch((error: unknown) => {
      // Without the stored base, a save after a restart asks the user before it overwrites anything.
      this.#log.warn('documents', 'The base of a document could not be stored', { reason: String(error) });
    });
  }
}

const isFolder = (uri: vscode.Uri): boolean => uri.path === '/' || getOpenUrisWithin(uri).length > 0;

/**
 * Returns the URIs of the open documents in a folder; the URI of a folder has the same query as those of its documents.
 */
const getOpenUrisWithin = (folder: vscode.Uri): readonly vscode.Uri[] =>
  vscode.workspace.textDocuments
    .map(({ uri }) => uri)
    .filter(
      ({ scheme, query, path }) =>
        scheme === schemes.document && query === folder.query && path.startsWith(getFolderPrefix(folder)),
    );

const getFolderPrefix = ({ path }: vscode.Uri): string => (path.endsWith('/') ? path : `${path}/`);
