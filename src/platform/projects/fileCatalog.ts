import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DelayedTask } from '../../base/delayedTask.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { RestartDelay } from '../../base/restartDelay.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import { type CallArguments, type CallResult, CallableThread } from '../../base/threadCalls.ts';
import { getFileKind } from '../../project/files/fileKinds.ts';
import { getInnerPath } from '../../project/innerPath.ts';
import { isInItemFolder } from '../../project/paths.ts';
import type {
  FileContext,
  FileLocation,
  FindingsUpdate,
  FileTable,
  LanguageCalls,
  LanguageTarget,
  PositionRange,
  ProjectNameLists,
} from '../../project/language/languageCalls.ts';
import { type FileDatamodel, createDatamodel } from './fileDatamodel.ts';
import { watchOutsideChanges, watchProjectFiles } from './watchProjects.ts';

/**
 * How long changes are collected before they are processed, in milliseconds: typing and Git commands cause many at
 * once.
 */
const updateDelayMs = 50;

/** The calls of the thread that {@link FileCatalog.query} allows. */
type Query =
  | 'getFindings'
  | 'getSecuredColumns'
  | 'getRules'
  | 'editRules'
  | 'locateRule'
  | 'getNumberedReferences'
  | 'findName'
  | 'findDefinition'
  | 'findReferences'
  | 'findRelation'
  | 'rename';

/** The last revision of the findings that a caller has received. Each thread counts its own revisions. */
export interface FindingsCursor {
  readonly thread: unknown;
  readonly revision: number;
}

/** Findings in files that have changed since a cursor. */
export interface ChangedFindings extends Pick<FindingsUpdate, 'files' | 'hasMore'> {
  readonly cursor: FindingsCursor;
  /**
   * Whether the cursor was absent or from an earlier thread, so that all findings are returned again: files that
   * neither this nor the following updates list have no findings.
   */
  readonly startsOver: boolean;
}

interface CatalogDeps {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
}

/** A datamodel as last loaded: later loads request only what has changed since. */
interface LoadedDatamodel {
  readonly datamodel: FileDatamodel;
  readonly tables: ReadonlyMap<string, FileTable>;
  readonly revision: number;
}

/**
 * The names and problems in the files of a project: in files with unsaved changes as they are in the editor, in all
 * others as they are on disk. A worker thread reads them, so that thousands of files don't block the editor. Nothing is
 * requested from a server.
 */
export class FileCatalog implements Disposable {
  readonly folder: vscode.Uri;
  readonly #deps: CatalogDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Fires when anything in the files may have changed. The names are up to date then. */
  readonly onDidChange = this.#onDidChange.event;
  #thread: CallableThread<LanguageCalls> | undefined;
  readonly #datamodels = new Map<string, LoadedDatamodel>();
  /** The loads in progress of datamodels that have not been loaded before. */
  readonly #loads = new PromiseCache<FileDatamodel | undefined>();
  readonly #files = new Map<string, Promise<FileContext>>();
  #projectNames: Promise<ProjectNameLists> | undefined;
  /** The files that have been saved, created, or deleted since the last update. */
  readonly #changedPaths = new Set<string>();
  /** The files whose unsaved changes may have changed since the last update. */
  readonly #editedPaths = new Set<string>();
  /** The files with unsaved changes that the thread has. */
  readonly #unsavedPaths = new Set<string>();
  readonly #updates: DelayedTask;
  readonly #restartDelay: RestartDelay;
  #restartTimer: Disposable | undefined;

  constructor(deps: CatalogDeps, folder: vscode.Uri) {
    this.#deps = deps;
    this.#restartDelay = new RestartDelay(deps.clock);
    this.folder = folder;
    this.#updates = this.#store.add(new DelayedTask(deps.clock, updateDelayMs, () => this.#update()));
    this.#store.add(watchProjectFiles(folder, (uri) => this.#collectChange(this.#changedPaths, uri)));
    this.#store.add(watchOutsideChanges(() => void this.readUnreportedChanges()));
    const collectEdit = ({ uri }: vscode.TextDocument): void => this.#collectChange(this.#editedPaths, uri);
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => collectEdit(document)));
    this.#store.add(vscode.workspace.onDidSaveTextDocument(collectEdit));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(collectEdit));
  }

  /** Whether the project was removed, or the extension is deactivated: then the catalog has no more data. */
  get isClosed(): boolean {
    return this.#store.isDisposed;
  }

  /** Returns the path of a file in the project, with `/` between the names; `undefined` if it is not in the project. */
  getPath({ scheme, fsPath }: vscode.Uri): string | undefined {
    const path = scheme === this.folder.scheme ? getInnerPath(this.folder.fsPath, fsPath) : undefined;
    return path === '' ? undefined : path;
  }

  getUri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, path);
  }

  toLocation({ path, span }: FileLocation): vscode.Location {
    return new vscode.Location(this.getUri(path), toEditorRange(span));
  }

  /**
   * Returns a datamodel; `undefined` if the project doesn't have it, or if the thread fails. While a change is being
   * read, the datamodel from before the change is returned; {@link onDidChange} fires afterwards.
   */
  async getDatamodel(title: string): Promise<FileDatamodel | undefined> {
    const loaded = this.#datamodels.get(title);
    return loaded === undefined
      ? this.#loads.get(title, async () => {
          try {
            return await this.#loadDatamodel(title);
          } catch {
            // The failure of the thread was logged when it ended.
            return undefined;
          } finally {
            this.#loads.forget(title);
          }
        })
      : loaded.datamodel;
  }

  /** Returns the item that a file contains, and its datamodel; both are `undefined` if the thread fails. */
  getFileContext(path: string): Promise<FileContext> {
    const file = this.#files.get(path) ?? this.#readFile(path);
    this.#files.set(path, file);
    return file;
  }

  /** Returns the names that rules and viewpoints of the project use, and its datamodels. */
  getProjectNames(): Promise<ProjectNameLists> {
    this.#projectNames ??= this.#readProjectNames();
    return this.#projectNames;
  }

  /**
   * Calls the thread after it has received all changes.
   * @throws Error if the thread fails
   */
  async query<Name extends Query>(
    call: Name,
    ...argument: CallArguments<LanguageCalls, Name>
  ): Promise<CallResult<LanguageCalls, Name>> {
    await this.#updates.run();
    return this.#call(call, ...argument);
  }

  /**
   * Returns the findings that have changed since a cursor, or some of them if there are many.
   * @throws Error if the thread fails
   */
  async getChangedFindings(since: FindingsCursor | undefined): Promise<ChangedFindings> {
    await this.#updates.run();
    const thread = this.#getThread();
    const startsOver = since?.thread !== thread;
    const update = await thread.call('getFindingsUpdate', startsOver ? 0 : since.revision);
    const { files, revision, hasMore } = update;
    return { files, hasMore, startsOver, cursor: { thread, revision } };
  }

  /**
   * Updates the names and problems with the changes of files that no watcher has reported, as some file systems don't.
   * Reads only the files that have changed. Never fails: if they can't be found, that is only logged.
   */
  async readUnreportedChanges(): Promise<void> {
    // Without a thread, nothing is loaded that could be out of date.
    if (this.#thread === undefined || this.#thread.hasEnded) {
      return;
    }
    try {
      const paths = await this.#thread.call('findChanges');
      paths.forEach((path) => this.#changedPaths.add(path));
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'Changed files could not be found', { reason: String(error) });
      }
    }
    await this.#updates.run();
  }

  dispose(): void {
    this.#restartTimer?.dispose();
    this.#store.dispose();
    this.#thread?.end(new Error('The project was closed'));
  }

  async #readFile(path: string): Promise<FileContext> {
    try {
      return await this.#call('getFile', path);
    } catch {
      // The failure of the thread was logged when it ended. The next caller tries again.
      this.#files.delete(path);
      return { key: undefined, datamodel: undefined };
    }
  }

  async #readProjectNames(): Promise<ProjectNameLists> {
    try {
      return await this.#call('getProjectNames');
    } catch {
      // The failure of the thread was logged when it ended. The next caller tries again.
      this.#projectNames = undefined;
      return { apps: [], groups: [], users: [], members: new Map(), datamodels: [] };
    }
  }

  async #call<Name extends keyof LanguageCalls>(
    call: Name,
    ...argument: CallArguments<LanguageCalls, Name>
  ): Promise<CallResult<LanguageCalls, Name>> {
    return this.#getThread().call(call, ...argument);
  }

  /**
   * Returns the thread, which reads the files before it answers. A failed thread is replaced after a delay.
   * @throws Error if the thread has failed and is not replaced yet, or if the catalog is disposed
   */
  #getThread(): CallableThread<LanguageCalls> {
    const { log, extensionUri } = this.#deps;
    if (this.#store.isDisposed) {
      throw new Error('The project was closed');
    }
    if (this.#thread === undefined || this.#thread.hasEnded) {
      if (this.#restartDelay.isWaiting) {
        throw new Error('The thread with the names has failed');
      }
      const script = vscode.Uri.joinPath(extensionUri, 'dist', 'languageWorker.js').fsPath;
      const target: LanguageTarget = { folder: this.folder.fsPath };
      const thread = new CallableThread<LanguageCalls>(script, target, (reason) => {
        if (!this.#store.isDisposed) {
          log.error('projects', 'The thread with the names has failed', { reason: String(reason) });
          this.#restartLater();
          // The next thread counts its own revisions.
          this.#datamodels.clear();
          this.#discardOutdated();
        }
      });
      this.#thread = thread;
      this.#restartDelay.recordStart();
      this.#changedPaths.clear();
      this.#unsavedPaths.clear();
      this.#editedPaths.clear();
      const texts = this.#takeUnsavedTexts(
        vscode.workspace.textDocuments.map(({ uri }) => this.getPath(uri)),
      );
      Promise.all([thread.call('reload'), thread.call('setUnsaved', texts)]).catch((error: unknown) => {
        if (!this.#store.isDisposed) {
          log.error('projects', 'The files could not be read', { reason: String(error) });
        }
      });
    }
    return this.#thread;
  }

  /** Fires the event after a delay, so that listeners request everything again, which starts another thread. */
  #restartLater(): void {
    this.#restartTimer?.dispose();
    this.#restartTimer = this.#deps.clock.schedule(this.#restartDelay.recordFailure(), () =>
      this.#onDidChange.fire(),
    );
  }

  #collectChange(paths: Set<string>, uri: vscode.Uri): void {
    const path = this.getPath(uri);
    // Without a thread, nothing is loaded that could be out of date.
    if (path !== undefined && this.#thread !== undefined) {
      paths.add(path);
      this.#updates.request();
    }
  }

  /**
   * Returns the unsaved texts of files that the thread has to receive, and remembers that it has them. A file that has
   * no unsaved changes anymore is returned once, without a text.
   */
  #takeUnsavedTexts(
    paths: readonly (string | undefined)[],
  ): readonly { readonly path: string; readonly text?: string }[] {
    const documents = new Map(
      vscode.workspace.textDocuments
        .filter(({ isDirty, isClosed }) => isDirty && !isClosed)
        .map((document) => [this.getPath(document.uri), document]),
    );
    return [...new Set(paths)].flatMap((path) => {
      const text = documents.get(path)?.getText();
      // The thread doesn't read other files from disk, so it doesn't need their unsaved texts either.
      if (path === undefined || !isInItemFolder(path) || getFileKind(path) === undefined) {
        return [];
      }
      if (text !== undefined) {
        this.#unsavedPaths.add(path);
        return [{ path, text }];
      }
      return this.#unsavedPaths.delete(path) ? [{ path }] : [];
    });
  }

  /** Passes the changes to the thread, and then fires the event. */
  async #update(): Promise<void> {
    const paths = [...this.#changedPaths];
    this.#changedPaths.clear();
    const texts = this.#takeUnsavedTexts([...this.#editedPaths]);
    this.#editedPaths.clear();
    if (paths.length === 0 && texts.length === 0) {
      return;
    }
    try {
      const changes = await Promise.all([
        ...(paths.length === 0 ? [] : [this.#call('update', paths)]),
        ...(texts.length === 0 ? [] : [this.#call('setUnsaved', texts)]),
      ]);
      this.#discardOutdated(
        texts.length > 0 && paths.length === 0 ? texts.map(({ path }) => path) : undefined,
      );
      const titles = changes.flatMap(({ datamodels }) => datamodels);
      await Promise.all(
        titles.filter((title) => this.#datamodels.has(title)).map((title) => this.#loadDatamodel(title)),
      );
      if (!this.#store.isDisposed) {
        this.#onDidChange.fire();
      }
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'The names could not be updated', { reason: String(error) });
      }
    }
  }

  /**
   * Discards the loaded data that may be outdated, except datamodels.
   * @param editedPaths the only files that have changed
   */
  #discardOutdated(editedPaths?: readonly string[]): void {
    this.#projectNames = undefined;
    // An edit of SQL doesn't change which item a file contains.
    if (editedPaths?.every((path) => getFileKind(path) === 'sql') !== true) {
      this.#files.clear();
    }
  }

  /**
   * Loads a datamodel, or what has changed since it was last loaded. Returns `undefined` if it doesn't exist anymore.
   */
  async #loadDatamodel(title: string): Promise<FileDatamodel | undefined> {
    const thread = this.#getThread();
    const previous = this.#datamodels.get(title);
    const tables = new Map(previous?.tables);
    let revision = previous?.revision ?? 0;
    for (;;) {
      const update = await thread.call('getDatamodel', { title, since: revision });
      if (update === undefined) {
        this.#datamodels.delete(title);
        return undefined;
      }
      update.tables.forEach((table) => tables.set(table.catalogTable.name, table));
      ({ revision } = update);
      if (!update.hasMore) {
        const datamodel = createDatamodel(update, tables);
        this.#datamodels.set(title, { datamodel, tables, revision });
        return datamodel;
      }
    }
  }
}

export const toEditorRange = ({ start, end }: PositionRange): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);
