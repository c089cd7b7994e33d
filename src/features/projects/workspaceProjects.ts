import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import { hashInstance } from '../../project/pull/instanceHash.ts';
import { readTenantConnectionId } from '../../catalog/tenantConnection.ts';
import { chooseEnvironment, getInstanceAddress } from '../../platform/projects/environments.ts';
import { findProjects } from '../../platform/projects/findProjects.ts';
import { watchProjectFolders } from '../../platform/projects/watchProjects.ts';
import type { ProjectDeps } from './deps.ts';
import { createItemDecoration, createProblemDecoration } from './itemLabels.ts';
import { ProjectSourceControl } from './projectSourceControl.ts';
import { type ServerTextAddress, parseServerTextUri } from './serverTexts.ts';

/** The projects of the workspace, each in its selected environment. */
export class WorkspaceProjects implements Disposable {
  readonly #deps: ProjectDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Fires when projects or their environments change, and whenever the status of a project is updated. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeText: Emitter<vscode.Uri>;
  readonly #onDidChangeDecorations = this.#store.add(new vscode.EventEmitter<vscode.Uri[]>());
  /** The projects by the URI of their folder, as text; `undefined` for a project without an environment. */
  readonly #projects = new Map<string, ProjectSourceControl | undefined>();
  #pendingSearch: Promise<void> = Promise.resolve();

  /** @param onDidChangeText gets the URIs of server texts that may have changed */
  constructor(deps: ProjectDeps, onDidChangeText: Emitter<vscode.Uri>) {
    this.#deps = deps;
    this.#onDidChangeText = onDidChangeText;
    this.#store.add(
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#onDidChangeDecorations.event,
        provideFileDecoration: (uri) => {
          const project = this.find(uri);
          const problem = project?.findProblem(uri);
          const item = project?.findItem(uri);
          return problem !== undefined
            ? createProblemDecoration(problem)
            : item && createItemDecoration(item);
        },
      }),
    );
    this.#store.add(deps.onDidWrite((connectionId) => this.#handleWrite(connectionId)));
    this.#store.add(
      watchProjectFolders(
        () => this.folders,
        () => void this.refresh(),
      ),
    );
  }

  /** The projects that have an environment, sorted by path. */
  get projectsWithEnvironment(): readonly ProjectSourceControl[] {
    return [...this.#projects.values()].filter((project) => project !== undefined);
  }

  /** The folders of all projects, sorted by path. */
  get folders(): readonly vscode.Uri[] {
    return [...this.#projects.keys()].map((folder) => vscode.Uri.parse(folder));
  }

  /** Returns the innermost project that a file or folder is in. */
  find(uri: vscode.Uri): ProjectSourceControl | undefined {
    return this.projectsWithEnvironment
      .filter((project) => project.getPath(uri) !== undefined)
      .toSorted((a, b) => b.folder.path.length - a.folder.path.length)[0];
  }

  findByFolder(folder: string): ProjectSourceControl | undefined {
    return this.#projects.get(folder);
  }

  /** Returns the project in an environment; `undefined` if that environment is no longer shown. */
  findShownProject(folder: string, environmentName: string): ProjectSourceControl | undefined {
    const project = this.findByFolder(folder);
    return project?.environment.name === environmentName ? project : undefined;
  }

  /** Looks for projects and environments again. Searches run one after the other. */
  refresh(): Promise<void> {
    this.#pendingSearch = this.#pendingSearch.then(() => this.#updateProjects());
    return this.#pendingSearch;
  }

  /** Selects the environment that a project is compared with. */
  async select(folder: vscode.Uri, environmentName: string): Promise<void> {
    this.#deps.projectEnvironments.select(String(folder), environmentName);
    await this.refresh();
  }

  /** Returns the text of a file on the server; `undefined` if its environment is no longer shown. */
  async loadServerText({ folder, environment, path }: ServerTextAddress): Promise<string | undefined> {
    return this.findShownProject(folder, environment)?.loadServerText(path);
  }

  dispose(): void {
    this.#store.dispose();
    this.projectsWithEnvironment.forEach((project) => project.dispose());
    this.#projects.clear();
  }

  async #updateProjects(): Promise<void> {
    try {
      const folders = await findProjects();
      const listed = await Promise.all(
        folders.map(async (folder) => ({ folder, environments: await listEnvironments(folder.fsPath) })),
      );
      if (!this.#store.isDisposed) {
        await this.#showProjects(listed);
      }
    } catch (error) {
      this.#deps.log.error('projects', 'The projects could not be found', { reason: String(error) });
    }
  }

  async #showProjects(
    listed: readonly { readonly folder: vscode.Uri; readonly environments: readonly ListedEnvironment[] }[],
  ): Promise<void> {
    const previousProjects = new Map(this.#projects);
    this.#projects.clear();
    for (const { folder, environments } of listed) {
      const id = String(folder);
      const previousProject = previousProjects.get(id);
      const environment = chooseEnvironment(
        this.#deps,
        folder,
        environments,
        previousProject?.environment.name,
      );
      previousProjects.delete(id);
      if (previousProject !== undefined && isSameEnvironment(previousProject.environment, environment)) {
        this.#projects.set(id, previousProject);
        continue;
      }
      this.#close(previousProject);
      this.#projects.set(id, environment === undefined ? undefined : this.#open(folder, environment));
    }
    previousProjects.forEach((project) => this.#close(project));
    const setContext = (key: string, value: unknown) =>
      vscode.commands.executeCommand('setContext', `datamodelStudio.${key}`, value);
    await setContext('hasProjects', this.#projects.size > 0);
    await setContext(
      'projectFolders',
      this.folders.map(({ path }) => path),
    );
    this.#onDidChange.fire();
  }

  #open(folder: vscode.Uri, environment: ListedEnvironment): ProjectSourceControl {
    const project = new ProjectSourceControl(this.#deps, folder, environment);
    project.onDidChange((uris) => this.#fireChanges(project, uris));
    project.onDidChangeSettings(() => void this.refresh());
    project.load().catch((error: unknown) => {
      this.#deps.log.error('projects', 'The files could not be read', { reason: String(error) });
    });
    return project;
  }

  /** Marks the status of the projects as outdated that are compared with the instance of a connection. */
  #handleWrite(connectionId: string): void {
    const { baseId, tenantId } = readTenantConnectionId(connectionId) ?? { baseId: connectionId };
    const connection = this.#deps.connections.find(baseId);
    if (connection === undefined) {
      return;
    }
    const instance = hashInstance(
      getInstanceAddress(tenantId === undefined ? connection : { ...connection, tenantId }),
    );
    for (const project of this.projectsWithEnvironment) {
      if (project.environment.instanceHash === instance) {
        project.handleWrite();
      }
    }
  }

  #close(project: ProjectSourceControl | undefined): void {
    project?.dispose();
    this.#onDidChangeDecorations.fire(
      (project?.items ?? []).map(({ path }) => project?.getUri(path)).filter((uri) => uri !== undefined),
    );
  }

  #fireChanges(project: ProjectSourceControl, uris: readonly vscode.Uri[]): void {
    this.#onDidChangeDecorations.fire([...uris]);
    for (const { uri } of vscode.workspace.textDocuments) {
      const address = parseServerTextUri(uri);
      if (address?.folder === String(project.folder) && address.environment === project.environment.name) {
        this.#onDidChangeText.fire(uri);
      }
    }
    this.#onDidChange.fire();
  }
}

const isSameEnvironment = (a: ListedEnvironment, b: ListedEnvironment | undefined): boolean =>
  a.name === b?.name && a.url === b.url && a.role === b.role && a.instanceHash === b.instanceHash;
