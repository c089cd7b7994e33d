import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { isAffected } from '../../catalog/changes.ts';
import type { SessionChange } from '../../connections/sessions.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { RuleAliases } from '../../documents/ruleAliases.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import { BaseFiles } from './baseFiles.ts';
import type { DocumentsDeps } from './deps.ts';
import { DocumentSaves } from './documentSaves.ts';
import { documentUri, openDocument, openPaths, shownDocuments } from './documentUri.ts';
import { fileError, isAbsent, readError } from './fileErrors.ts';
import { registerInlayHints } from './inlayHints.ts';
import type { RemoteFileSystem, TellChanged } from './lazyFileSystem.ts';
import { ServerVersions } from './serverVersions.ts';

/** The documents of all connections as the editor's files. */
export class DocumentFileSystem implements RemoteFileSystem, Disposable {
  readonly documents: RemoteDocuments;
  readonly #log: Log;
  readonly #changed: TellChanged;
  readonly #store = new DisposableStore();
  readonly #saves: DocumentSaves;
  /** Documents that may have changed on the server and are open, but not on the screen. */
  readonly #stale = new Set<string>();
  /** Documents that are open and that their server no longer has. */
  readonly #gone = new Set<string>();

  constructor(deps: DocumentsDeps, changed: TellChanged) {
    this.#log = deps.log;
    this.#changed = changed;
    this.documents = new RemoteDocuments({
      sessions: deps.sessions,
      writer: async () => (await deps.writing()).writer,
      clock: deps.clock,
      editor: { isDirty: (path) => openDocument(path)?.isDirty === true },
      memory: new BaseFiles(deps.storageFolder),
      aliases: new RuleAliases(deps.ruleAliases),
    });
    this.#saves = this.#store.add(new DocumentSaves(deps, this.documents));
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(
        schemes.serverVersion,
        new ServerVersions(this.documents),
      ),
    );
    this.#store.add(registerInlayHints(deps));
    this.#store.add(deps.sessions.onDidChangeCatalog((change) => this.#invalidate(change)));
    this.#listen();
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (isFolder(uri.path)) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { mtime, size, isReadOnly } = await this.#answer(uri, this.documents.stat(uri.path));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size,
      ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  read(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#answer(uri, this.documents.read(uri.path));
  }

  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (readDocumentPath(uri.path) === undefined) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t(
          'Resources of a server are not made by saving a file. Use the Datamodel Studio explorer.',
        ),
      );
    }
    try {
      await this.#saves.write(uri, content);
    } catch (error) {
      this.#log.warn('documents', 'A document was not saved', { reason: String(error) });
      throw fileError(error);
    }
    if (openDocument(uri.path) === undefined) {
      await this.#settle(uri.path);
    }
  }

  /** Saves the document as it is open, with what the person decided about that save. */
  saveWith(path: string, intent: SaveIntent): Promise<void> {
    return this.#saves.saveWith(path, intent);
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

  #listen(): void {
    const { workspace, window } = vscode;
    this.#store.add(window.onDidChangeVisibleTextEditors(() => this.#refreshVisible()));
    this.#store.add(window.tabGroups.onDidChangeTabs(() => this.#refreshVisible()));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.#edited(document)));
    this.#store.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === schemes.document) {
          void this.#settle(uri.path);
        }
      }),
    );
    this.#store.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === schemes.document) {
          this.#stale.delete(uri.path);
          this.#gone.delete(uri.path);
          this.documents.closed(uri.path);
        }
      }),
    );
  }

  /** What the editor asked; of what is not there any more it is told once. */
  async #answer<T>(uri: vscode.Uri, work: Promise<T>): Promise<T> {
    try {
      const answer = await work;
      this.#gone.delete(uri.path);
      return answer;
    } catch (error) {
      this.#log.warn('documents', 'A document was not read', { reason: String(error) });
      if (isAbsent(error) && !this.#gone.has(uri.path) && openDocument(uri.path) !== undefined) {
        this.#gone.add(uri.path);
        this.#changed([uri], 'gone');
      }
      throw readError(uri, error);
    }
  }

  /** The editor has heard of a save: now it may hear what the server made of it, and others what was saved. */
  async #settle(path: string): Promise<void> {
    try {
      const changed = await this.documents.settle(path);
      this.#changed([...(changed ? [path] : []), ...this.documents.siblings(path)].map(documentUri));
    } catch (error) {
      this.#log.warn('documents', 'A saved document was not read again', { reason: String(error) });
    }
  }

  #invalidate({ connectionId, change }: SessionChange): void {
    for (const path of openPaths()) {
      const document = readDocumentPath(path);
      if (document?.connectionId === connectionId && isAffected(document.resource, change)) {
        this.documents.changed(path);
        this.#stale.add(path);
      }
    }
    this.#refreshVisible();
  }

  /** What is on the screen is read anew at once, the rest when the editor shows it. */
  #refreshVisible(): void {
    const stale = shownDocuments().filter(({ path }) => this.#stale.delete(path));
    if (stale.length > 0) {
      this.#changed(stale);
    }
  }

  #edited(document: vscode.TextDocument): void {
    const { scheme, path } = document.uri;
    if (scheme !== schemes.document) {
      return;
    }
    if (!document.isDirty) {
      this.documents.cleaned(path, document.getText());
      return;
    }
    void this.documents.edited(path).catch((error: unknown) => {
      // Without it a save after a restart asks before it overwrites anything.
      this.#log.warn('documents', 'What a text was made from could not be kept', { reason: String(error) });
    });
  }
}

const isFolder = (path: string): boolean =>
  path === '/' ||
  (readDocumentPath(path) === undefined && openPaths().some((open) => open.startsWith(folderPrefix(path))));

const folderPrefix = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
