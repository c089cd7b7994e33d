import * as vscode from 'vscode';
import { DelayedTask } from '../../base/delayedTask.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { watchOutsideChanges, watchProjectFiles } from '../../platform/projects/watchProjects.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';
import { getLockPath } from '../../project/pull/lock.ts';
import { type SelectionLimits, getEnvironmentPath } from '../../project/settings/projectSettings.ts';
import type { InstanceReading, UnreadPart } from '../../project/source/readInstance.ts';
import { getInnerPath } from '../../project/innerPath.ts';
import { projectFileName } from '../../project/projectFileName.ts';
import { type ItemStatus, type StatusGroup, getStatusGroup } from '../../project/status/itemStatus.ts';
import type { ProjectStatus } from '../../project/status/statusCalls.ts';
import { StatusThread } from '../../project/status/statusThread.ts';
import type { ProjectDeps } from './deps.ts';
import { formatEnvironment, formatReadTime } from './environmentLabels.ts';
import { createServerTextUri } from './serverTexts.ts';
import {
  type StatusProblem,
  createItemRow,
  createLoadingRow,
  createProblemRow,
  createUncomparedFileRow,
  createUncomparedRow,
  describeUncomparedFiles,
  formatServerGroupLabel,
  formatStatusProblem,
} from './sourceControlRows.ts';

const t = vscode.l10n.t;

/** The ID of the source controls, which `when` clauses of the manifest contain. */
const providerId = 'datamodelStudio';

/** The time for which file changes are collected before the status is updated: Git changes many files at once. */
const collectMs = 50;

/**
 * The source control of a project in one environment. Sends no requests: callers pass what was read of the instance.
 */
export class ProjectSourceControl implements Disposable {
  readonly folder: vscode.Uri;
  readonly environment: ListedEnvironment;
  readonly sourceControl: vscode.SourceControl;
  readonly #deps: ProjectDeps;
  readonly #store = new DisposableStore();
  readonly #thread: StatusThread;
  readonly #groups: Readonly<
    Record<StatusGroup | 'loading' | 'uncompared', vscode.SourceControlResourceGroup>
  >;
  readonly #onDidChange = this.#store.add(new Emitter<readonly vscode.Uri[]>());
  /** Fires with the files whose status may have changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeSettings = this.#store.add(new Emitter<void>());
  /** Fires if the settings or an environment may have changed. */
  readonly onDidChangeSettings = this.#onDidChangeSettings.event;
  readonly #onDidChangeFile = this.#store.add(new Emitter<string>());
  /** Fires with the path of a file of the project, of the settings, or of an environment that may have changed. */
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #changedPaths = new Set<string>();
  readonly #updates: DelayedTask;
  #items: ReadonlyMap<string, ItemStatus> = new Map();
  /** Why the status of files is unknown, by path. */
  #problems: ReadonlyMap<string, string> = new Map();
  #status: ProjectStatus | undefined;
  #readAt: number | undefined;
  #failedParts: readonly UnreadPart[] = [];
  #writeCount = 0;

  constructor(deps: ProjectDeps, folder: vscode.Uri, environment: ListedEnvironment) {
    this.#deps = deps;
    this.folder = folder;
    this.environment = environment;
    this.#updates = this.#store.add(new DelayedTask(deps.clock, collectMs, () => this.#update()));
    const script = vscode.Uri.joinPath(deps.extensionUri, 'dist', 'statusWorker.js');
    this.#thread = this.#store.add(
      new StatusThread(
        script.fsPath,
        { folder: folder.fsPath, environmentName: environment.name },
        {
          onFailure: (reason) =>
            deps.log.error('projects', 'The thread with the status has failed', { reason: String(reason) }),
          onRestart: (status) => this.#showStatus(status),
        },
      ),
    );
    this.sourceControl = this.#store.add(
      // The editor shows the label in little space, after the name of the folder.
      vscode.scm.createSourceControl(providerId, toPlainText(formatEnvironment(environment)), folder),
    );
    this.sourceControl.inputBox.visible = false;
    this.#groups = {
      loading: this.#createGroup('loading', t('Loading…')),
      both: this.#createGroup('both', t('Changed on Both Sides')),
      here: this.#createGroup('here', t('Changed Here')),
      uncompared: this.#createGroup('uncompared', t('Not Compared Yet')),
      server: this.#createGroup('server', t('Changed on the Server')),
      differs: this.#createGroup('differs', t('Different, Never Pulled')),
      unknown: this.#createGroup('unknown', t('Status Unknown')),
    };
    // Without a row, the editor would show that nothing has changed.
    this.#groups.loading.resourceStates = [createLoadingRow(this.getUri(projectFileName))];
    this.sourceControl.count = 0;
    this.#updateQuickDiff();
    this.#store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        if (this.#status !== undefined) {
          this.#showStatus(this.#status);
        }
      }),
    );
    this.#store.add(watchProjectFiles(folder, (uri) => this.#handleFileChange(uri)));
    this.#store.add(watchOutsideChanges(() => void this.#follow()));
  }

  /** `undefined` until the files have been read. */
  get status(): ProjectStatus | undefined {
    return this.#status;
  }

  /** When the instance was read, in milliseconds since the epoch; `undefined` if it was not. */
  get readAt(): number | undefined {
    return this.#readAt;
  }

  /** Returns the status of a file; `undefined` if it does not differ. */
  findItem(uri: vscode.Uri): ItemStatus | undefined {
    const path = this.getPath(uri);
    return path === undefined ? undefined : this.#items.get(path);
  }

  /** What could not be read of the instance, and why; empty if the instance was not read. */
  get failedParts(): readonly UnreadPart[] {
    return this.#status?.isServerKnown === true ? this.#failedParts : [];
  }

  /** Returns why the status of a file is unknown, with the line; `undefined` if it's known. */
  findProblem(uri: vscode.Uri): string | undefined {
    const path = this.getPath(uri);
    return path === undefined ? undefined : this.#problems.get(path);
  }

  /** The items that differ, sorted by path. */
  get items(): readonly ItemStatus[] {
    return [...this.#items.values()];
  }

  /**
   * Returns the path of a file or folder in the project, with `/` between folders: empty for the folder of the project
   * itself, `undefined` for files and folders outside of it.
   */
  getPath(uri: vscode.Uri): string | undefined {
    if (uri.scheme !== this.folder.scheme) {
      return undefined;
    }
    return getInnerPath(this.folder.fsPath, uri.fsPath);
  }

  getUri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, path);
  }

  /** Returns the URI of the text that a file would have if it matched the server. */
  getServerTextUri(path: string): vscode.Uri {
    return createServerTextUri({ folder: String(this.folder), environment: this.environment.name, path });
  }

  /** Returns the text that a file would have if it matched the server; `undefined` if there is none. */
  async loadServerText(path: string): Promise<string | undefined> {
    // Documents have no byte-order mark.
    return (await this.#thread.call('getServerText', path))?.replace(/^\uFEFF/, '');
  }

  /**
   * Returns the datamodels and viewpoints that a command on some files and folders is limited to; `undefined` if no
   * files are given, or if a command can't be limited to them.
   */
  async getSelectionLimits(paths: readonly string[]): Promise<SelectionLimits | undefined> {
    return paths.length === 0 ? undefined : this.#thread.call('getSelectionLimits', paths);
  }

  /** Reads all files of the project for the first time. */
  async load(): Promise<void> {
    this.#showStatus(await this.#thread.call('reload'));
  }

  /**
   * Updates the status with the changes of files that no watcher has reported, since watchers don't work in some file
   * systems. Reads only the files that have changed. Starts the same update of the file catalog, such as of the
   * problems in files, without waiting for it. Never fails: if the status can't be updated, that is only logged.
   */
  async refreshChangedFiles(): Promise<void> {
    // Not awaited: the caller needs only the status.
    void this.#refreshCatalog();
    await this.#follow();
  }

  /**
   * Updates the names and problems in the file catalog of the project. Never fails: if they can't be updated, that is
   * only logged.
   */
  async #refreshCatalog(): Promise<void> {
    try {
      const catalogs = await this.#deps.loadFileCatalogs();
      await (await catalogs.findProject(this.folder))?.readUnreportedChanges();
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'The problems of changed files could not be updated', {
          reason: String(error),
        });
      }
    }
  }

  /**
   * How often something was written to the instance since the project was opened. What was read before the last write
   * is outdated.
   */
  get writeCount(): number {
    return this.#writeCount;
  }

  /**
   * Compares the project with the instance as it was just read, and shows the status.
   * @param writeCount the {@link writeCount} before the instance was read, if something may have been written since
   *   then; if the count is different now, the status is shown as outdated
   */
  async setReading(
    reading: Pick<InstanceReading, 'documents' | 'scope' | 'failedParts'>,
    writeCount = this.#writeCount,
  ): Promise<void> {
    const readAt = this.#deps.clock.now();
    const status = await this.#thread.setReading(reading);
    this.#readAt = readAt;
    this.#failedParts = reading.failedParts;
    this.#showStatus(status);
    if (writeCount !== this.#writeCount) {
      await this.#discardReading();
    }
  }

  /** Shows that the status is outdated, since something was or may have been written to the instance. */
  handleWrite(): void {
    this.#writeCount += 1;
    if (this.#status?.isOutdated !== true) {
      void this.#discardReading();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Updates the status with the changes of files that no watcher has reported. */
  async #follow(): Promise<void> {
    // The label needs a date if the user returns the next day.
    this.#updateReadTime();
    try {
      const paths = await this.#thread.call('findChanges');
      paths.forEach((path) => this.#handleFileChange(this.getUri(path)));
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'Changed files could not be found', { reason: String(error) });
      }
    }
    if (this.#changedPaths.size > 0) {
      await this.#updates.run();
    }
  }

  async #discardReading(): Promise<void> {
    try {
      this.#showStatus(await this.#thread.call('discardReading'));
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'The status could not be updated', { reason: String(error) });
      }
    }
  }

  #createGroup(id: string, label: string): vscode.SourceControlResourceGroup {
    const group = this.#store.add(this.sourceControl.createResourceGroup(id, label));
    group.hideWhenEmpty = true;
    return group;
  }

  #handleFileChange(uri: vscode.Uri): void {
    const path = this.getPath(uri);
    if (path === undefined || path === '') {
      return;
    }
    this.#changedPaths.add(path);
    this.#onDidChangeFile.fire(path);
    this.#updates.request();
  }

  async #update(): Promise<void> {
    const paths = [...this.#changedPaths];
    this.#changedPaths.clear();
    if (paths.some((path) => path === projectFileName || path.startsWith('environments/'))) {
      this.#onDidChangeSettings.fire();
    }
    try {
      this.#showStatus(await this.#thread.call('update', paths));
    } catch (error) {
      // The next update includes these paths again.
      paths.forEach((path) => this.#changedPaths.add(path));
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'The status could not be updated', { reason: String(error) });
      }
    }
  }

  #showStatus(status: ProjectStatus): void {
    if (this.#store.isDisposed) {
      return;
    }
    const wasServerKnown = this.#status?.isServerKnown;
    const previousPaths = [...this.#items.keys(), ...this.#problems.keys()];
    this.#status = status;
    const problems: readonly StatusProblem[] = [
      ...(status.fault === undefined ? [] : [status.fault]),
      ...status.unreadableFiles,
    ];
    const uncompared = describeUncomparedFiles(status.uncomparedFiles, this.#failedParts);
    this.#problems = new Map([
      ...problems.toReversed().map((problem) => [problem.path, formatStatusProblem(problem)] as const),
      ...uncompared,
    ]);
    this.#items = new Map(status.items.map((item) => [item.path, item]));
    this.#groups.loading.resourceStates = [];
    // As in Git, one group stays visible: a view with nothing in it would look broken. If there are several source
    // controls, the editor lists no groups of a source control without rows. Before the first pull, there is always
    // another row, and an empty group would look as if nothing had changed.
    this.#groups.here.hideWhenEmpty = !status.isPulled && !status.isServerKnown;
    const byGroup = Map.groupBy(status.items, getStatusGroup);
    for (const group of ['both', 'here', 'server', 'differs'] as const) {
      this.#groups[group].resourceStates = (byGroup.get(group) ?? []).map((item) =>
        createItemRow(this.getUri(item.path), item),
      );
    }
    this.#updateServerGroups(status);
    this.#groups.unknown.resourceStates = [
      ...problems.map((problem) => createProblemRow(this.getUri(problem.path), problem)),
      ...[...uncompared].map(([path, reason]) => createUncomparedFileRow(this.getUri(path), reason)),
    ];
    // The row that offers a comparison and files that weren't compared are not changes.
    this.sourceControl.count = status.items.length + problems.length;
    if (wasServerKnown !== status.isServerKnown) {
      this.#updateQuickDiff();
    }
    this.#onDidChange.fire(
      [...new Set([...previousPaths, ...this.#items.keys(), ...this.#problems.keys()])].map((path) =>
        this.getUri(path),
      ),
    );
  }

  /**
   * While the state of the instance is unknown, shows a row that starts a comparison: an empty list would look as if
   * nothing differed. Otherwise, shows when the instance was read.
   */
  #updateServerGroups({ isServerKnown, isOutdated, fault }: ProjectStatus): void {
    const { uncompared, server } = this.#groups;
    const { name, url } = this.environment;
    const path = url === undefined ? getLockPath(name) : getEnvironmentPath(name);
    uncompared.resourceStates =
      isServerKnown || fault !== undefined ? [] : [createUncomparedRow(this.getUri(path), name, isOutdated)];
    server.hideWhenEmpty = !isServerKnown;
    this.#updateReadTime();
  }

  /** Shows in the label of a group when the instance was read, and how completely: often, there is no row for it. */
  #updateReadTime(): void {
    const readAt = this.#status?.isServerKnown === true ? this.#readAt : undefined;
    this.#groups.server.label = formatServerGroupLabel(
      readAt === undefined ? undefined : formatReadTime(readAt, this.#deps.clock.now()),
      this.failedParts.length > 0 ||
        this.#status?.uncomparedFiles.some(({ isManaged }) => isManaged) === true,
    );
  }

  /** Sets a new quick diff provider, since the editor asks each one only once per file. */
  #updateQuickDiff(): void {
    this.sourceControl.quickDiffProvider = {
      provideOriginalResource: async (uri) => {
        const path = this.getPath(uri);
        return path === undefined || path === '' || (await this.loadServerText(path)) === undefined
          ? undefined
          : this.getServerTextUri(path);
      },
    };
  }
}
