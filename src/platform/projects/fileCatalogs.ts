import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import { isInItemFolder } from '../../project/paths.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import { type EnvironmentDeps, chooseEnvironment, findEnvironmentConnection } from './environments.ts';
import { FileCatalog } from './fileCatalog.ts';
import { findProjects } from './findProjects.ts';
import type { SelectedEnvironments } from './selectedEnvironments.ts';
import { watchProjectFolders } from './watchProjects.ts';

interface CatalogsDeps extends EnvironmentDeps {
  readonly currentConnection: Pick<CurrentConnection, 'value' | 'allCurrentFirst' | 'onDidChange'>;
  readonly connections: Pick<ConnectionStore, 'onDidChange'>;
  readonly projectEnvironments: SelectedEnvironments;
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
}

/** A file of a project in the workspace. */
export interface ProjectFile {
  readonly catalog: FileCatalog;
  /** The path in the project, with `/` between the names. */
  readonly path: string;
}

interface ListedProject {
  readonly folder: vscode.Uri;
  readonly environments: readonly ListedEnvironment[];
}

/** The catalogs of the projects in the workspace. The files of a project are read on first use. */
export class FileCatalogs implements Disposable {
  readonly #deps: CatalogsDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<FileCatalog | undefined>());
  /**
   * Fires with a catalog when anything in the files of its project may have changed, and with `undefined` when projects
   * were added or removed. The catalog of a removed project stays closed even if the project is added again: call
   * {@link findProject} for a new one.
   */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeConnections = this.#store.add(new Emitter<void>());
  /** Fires when {@link findEnvironment} or {@link findConnection} may have another result for a project. */
  readonly onDidChangeConnections = this.#onDidChangeConnections.event;
  readonly #catalogs = new Map<string, FileCatalog>();
  #projects: readonly ListedProject[] = [];
  #search: Promise<void>;

  constructor(deps: CatalogsDeps) {
    this.#deps = deps;
    this.#store.add(
      watchProjectFolders(
        () => this.#projects.map(({ folder }) => folder),
        () => {
          this.#search = this.#search.then(() => this.#updateProjects());
        },
      ),
    );
    const handleConnectionsChange = (): void => this.#onDidChangeConnections.fire();
    this.#store.add(deps.projectEnvironments.onDidChange(handleConnectionsChange));
    this.#store.add(deps.currentConnection.onDidChange(handleConnectionsChange));
    this.#store.add(deps.connections.onDidChange(handleConnectionsChange));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(handleConnectionsChange));
    this.#search = this.#updateProjects();
  }

  /**
   * Returns the innermost project that contains a file; `undefined` if no project does. Only files in the folders of
   * items belong to a project, so a copy of an item outside of these folders does not.
   */
  async findItemFile(uri: vscode.Uri): Promise<ProjectFile | undefined> {
    const file = await this.findAnyFile(uri);
    return file !== undefined && isInItemFolder(file.path) ? file : undefined;
  }

  /** Returns the innermost project whose folder contains a file, such as its settings. */
  async findAnyFile(uri: vscode.Uri): Promise<ProjectFile | undefined> {
    if (uri.scheme !== 'file') {
      return undefined;
    }
    await this.#search;
    const [project] = this.#projects
      .filter(({ folder }) => uri.path.startsWith(`${folder.path}/`))
      .toSorted((a, b) => b.folder.path.length - a.folder.path.length);
    const catalog = project && this.#getCatalog(project.folder);
    const path = catalog?.getPath(uri);
    return catalog === undefined || path === undefined ? undefined : { catalog, path };
  }

  /** Returns the catalog of the project in a folder; `undefined` if the workspace doesn't have the project. */
  async findProject(folder: vscode.Uri): Promise<FileCatalog | undefined> {
    await this.#search;
    const project = this.#projects.find((candidate) => String(candidate.folder) === String(folder));
    return project && this.#getCatalog(project.folder);
  }

  /** Returns the catalogs of all projects in the workspace. */
  async findAll(): Promise<readonly FileCatalog[]> {
    await this.#search;
    return this.#projects.map(({ folder }) => this.#getCatalog(folder));
  }

  /** Returns the environment that is shown for a project. */
  findEnvironment({ folder }: FileCatalog): ListedEnvironment | undefined {
    const project = this.#projects.find((candidate) => String(candidate.folder) === String(folder));
    return project && chooseEnvironment(this.#deps, folder, project.environments);
  }

  /**
   * Returns the connection of the environment that is shown for a project, to look up what its files don't contain;
   * `undefined` in a workspace that isn't trusted, because its files must not cause requests.
   */
  findConnection(catalog: FileCatalog): Connection | undefined {
    const environment = this.findEnvironment(catalog);
    return environment === undefined || !vscode.workspace.isTrusted
      ? undefined
      : findEnvironmentConnection(this.#deps, environment);
  }

  dispose(): void {
    this.#store.dispose();
    this.#catalogs.forEach((catalog) => catalog.dispose());
    this.#catalogs.clear();
  }

  #getCatalog(folder: vscode.Uri): FileCatalog {
    const id = String(folder);
    const existing = this.#catalogs.get(id);
    if (existing !== undefined) {
      return existing;
    }
    const catalog = new FileCatalog(this.#deps, folder);
    catalog.onDidChange(() => this.#onDidChange.fire(catalog));
    this.#catalogs.set(id, catalog);
    return catalog;
  }

  async #updateProjects(): Promise<void> {
    try {
      const folders = await findProjects();
      const projects = await Promise.all(
        folders.map(async (folder) => ({ folder, environments: await listEnvironments(folder.fsPath) })),
      );
      if (this.#store.isDisposed) {
        return;
      }
      this.#projects = projects;
      const ids = new Set(folders.map(String));
      for (const [id, catalog] of this.#catalogs) {
        if (!ids.has(id)) {
          this.#catalogs.delete(id);
          catalog.dispose();
        }
      }
      this.#onDidChange.fire(undefined);
      this.#onDidChangeConnections.fire();
    } catch (error) {
      this.#deps.log.error('projects', 'The projects could not be found', { reason: String(error) });
    }
  }
}
