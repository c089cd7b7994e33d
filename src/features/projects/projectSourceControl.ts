import * as vscode from 'vscode';
import { type Message, formatMessage } from '../../base/localize.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { createCommand } from '../../platform/commands.ts';
import { watchOutsideChanges, watchProjectFiles } from '../../platform/projects/watchProjects.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';
import type { SelectionLimits } from '../../project/settings/projectSettings.ts';
import type { InstanceReading } from '../../project/source/readInstance.ts';
import { getInnerPath } from '../../project/innerPath.ts';
import { isInItemFolder } from '../../project/paths.ts';
import {
  type ItemStatus,
  type StatusGroup,
  getStatusGroup,
  hasFile,
} from '../../project/status/itemStatus.ts';
import type { ProjectStatus } from '../../project/status/statusMessages.ts';
import { StatusThread } from '../../project/status/statusThread.ts';
import type { ProjectDeps } from './deps.ts';
import { formatEnvironment } from './environmentLabels.ts';
import { describeItemStatus } from './itemLabels.ts';
import { createServerTextUri } from './serverTexts.ts';

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
  readonly #groups: Readonly<Record<StatusGroup | 'uncompared', vscode.SourceControlResourceGroup>>;
  readonly #onDidChange = this.#store.add(new Emitter<readonly vscode.Uri[]>());
  /** Fires with the files whose status may have changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeSettings = this.#store.add(new Emitter<void>());
  /** Fires if the settings or an environment have changed, and no watcher has reported it. */
  readonly onDidChangeSettings = this.#onDidChangeSettings.event;
  readonly #onDidChangeFile = this.#store.add(new Emitter<string>());
  /** Fires with the path of a file of the project, of the settings, or of an environment that may have changed. */
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #changedPaths = new Set<string>();
  /** Set while changes are collected. */
  #timer: Disposable | undefined;
  #items: ReadonlyMap<string, ItemStatus> = new Map();
  /** The files that can't be read, so that their status is unknown, by path. */
  #problems: ReadonlyMap<string, StatusProblem> = new Map();
  #status: ProjectStatus | undefined;
  #readAt: number | undefined;
  #writeCount = 0;

  constructor(deps: ProjectDeps, folder: vscode.Uri, environment: ListedEnvironment) {
    this.#deps = deps;
    this.folder = folder;
    this.environment = environment;
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
      uncompared: this.#createGroup('uncompared', t('Not Compared Yet')),
      both: this.#createGroup('both', t('Changed on Both Sides')),
      here: this.#createGroup('here', t('Changed Here')),
      server: this.#createGroup('server', t('Changed on the Server')),
      differs: this.#createGroup('differs', t('Different')),
      unknown: this.#createGroup('unknown', t('Status Unknown')),
    };
    this.#updateQuickDiff();
    this.#store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        if (this.#status !== undefined) {
          this.#showStatus(this.#status);
        }
      }),
    );
    this.#store.add(watchProjectFiles(folder, (uri) => this.#handleFileChange(uri)));
    this.#store.add(watchOutsideChanges(() => void this.#handleMissedChanges()));
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

  /** Returns why the status of a file is unknown, with the line; `undefined` if it's known. */
  findProblem(uri: vscode.Uri): string | undefined {
    const path = this.getPath(uri);
    const problem = path === undefined ? undefined : this.#problems.get(path);
    return problem && formatProblem(problem);
  }

  /** The items that differ, sorted by path. */
  get items(): readonly ItemStatus[] {
    return [...this.#items.values()];
  }

  /**
   * Returns the path in the project, with `/` between folders; `undefined` for what is not in it, empty for its folder.
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

  /** Returns the limits of a command to files and folders; `undefined` if it applies to the whole project. */
  async getLimits(paths: readonly string[]): Promise<SelectionLimits | undefined> {
    return paths.length === 0 ? undefined : this.#thread.call('getLimits', paths);
  }

  /** Reads all files of the project again. */
  async reload(): Promise<void> {
    this.#showStatus(await this.#thread.call('reload'));
  }

  /** How often something was written to the instance; see {@link setReading}. */
  get writeCount(): number {
    return this.#writeCount;
  }

  /**
   * Compares the project with the instance as it was just read, and shows the status.
   * @param writeCount the {@link writeCount} before the instance was read, if something may have been written meanwhile
   */
  async setReading(
    reading: Pick<InstanceReading, 'documents' | 'scope'>,
    writeCount = this.#writeCount,
  ): Promise<void> {
    const readAt = this.#deps.clock.now();
    this.#showStatus(await this.#thread.setReading(reading));
    this.#readAt = readAt;
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
    this.#timer?.dispose();
    this.#store.dispose();
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
    this.#timer ??= this.#deps.clock.schedule(collectMs, () => void this.#update());
  }

  /** Finds and handles the changes that no watcher has reported. */
  async #handleMissedChanges(): Promise<void> {
    try {
      const paths = await this.#thread.call('findChanges');
      paths.forEach((path) => this.#handleFileChange(this.getUri(path)));
      if (paths.some((path) => !isInItemFolder(path))) {
        this.#onDidChangeSettings.fire();
      }
    } catch (error) {
      if (!this.#store.isDisposed) {
        this.#deps.log.error('projects', 'Changed files could not be found', { reason: String(error) });
      }
    }
  }

  async #update(): Promise<void> {
    this.#timer = undefined;
    const paths = [...this.#changedPaths];
    this.#changedPaths.clear();
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
    this.#problems = new Map(problems.toReversed().map((problem) => [problem.path, problem]));
    this.#items = new Map(status.items.map((item) => [item.path, item]));
    const byGroup = Map.groupBy(status.items, getStatusGroup);
    for (const group of ['both', 'here', 'server', 'differs'] as const) {
      this.#groups[group].resourceStates = (byGroup.get(group) ?? []).map((item) =>
        this.#createResourceState(item),
      );
    }
    this.#updateUncomparedGroup(status);
    this.#groups.unknown.resourceStates = problems.map((problem) => ({
      resourceUri: this.getUri(problem.path),
      decorations: { tooltip: formatProblem(problem) },
      command: createOpenCommand(this.getUri(problem.path), problem.line),
      contextValue: 'unknown',
    }));
    // The row that offers a comparison is not a change.
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
   * Shows a row that starts a comparison if the project was neither pulled nor compared, or the comparison is outdated:
   * an empty list would look as if nothing differed, and the editor hides a source control without rows if there are
   * others.
   */
  #updateUncomparedGroup({ isPulled, isServerKnown, isOutdated, fault }: ProjectStatus): void {
    if ((isPulled && !isOutdated) || isServerKnown || fault !== undefined) {
      this.#groups.uncompared.resourceStates = [];
      return;
    }
    const resourceUri = this.getUri(`environments/${this.environment.name}.json`);
    const title = t('Compare with {0}', toPlainText(this.environment.name));
    this.#groups.uncompared.resourceStates = [
      {
        resourceUri,
        contextValue: 'uncompared',
        decorations: {
          tooltip: isOutdated
            ? t(
                'The instance might have changed since it was last read. Click to compare with {0}.',
                toPlainText(this.environment.name),
              )
            : title,
        },
        command: createCommand('datamodelStudio.projects.refresh', title, resourceUri),
      },
    ];
  }

  #createResourceState(item: ItemStatus): vscode.SourceControlResourceState {
    const resourceUri = this.getUri(item.path);
    return {
      resourceUri,
      contextValue: item.isConflict ? 'conflict' : getStatusGroup(item),
      decorations: {
        tooltip: describeItemStatus(item),
        strikeThrough: item.here === 'deleted' || item.server === 'deleted',
      },
      ...this.#createRowCommand(item),
    };
  }

  /** Returns what a click on a row does. In Restricted Mode, it opens the file: nothing may be sent to the server. */
  #createRowCommand(item: ItemStatus): Pick<vscode.SourceControlResourceState, 'command'> {
    const uri = this.getUri(item.path);
    if (vscode.workspace.isTrusted) {
      return {
        command: item.isConflict
          ? createCommand('datamodelStudio.projects.resolveConflicts', t('Resolve Conflicts…'), uri)
          : createCommand('datamodelStudio.projects.compare', t('Compare with Server'), uri),
      };
    }
    return hasFile(item) ? { command: createOpenCommand(uri) } : {};
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

const createOpenCommand = (uri: vscode.Uri, line?: number): vscode.Command => ({
  command: 'vscode.open',
  title: t('Open File'),
  arguments: [
    uri,
    ...(line === undefined ? [] : [{ selection: new vscode.Range(line - 1, 0, line - 1, 0) }]),
  ],
});

/** A file that can't be read, and why. For the settings and the lock file, the message contains the line. */
interface StatusProblem {
  readonly path: string;
  readonly line?: number;
  readonly message: Message;
}

const formatProblem = ({ line, message }: StatusProblem): string => {
  const text = formatMessage(t, message);
  return toPlainText(line === undefined ? text : t('Line {0}: {1}', line, text));
};
