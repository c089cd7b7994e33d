import type * as vscode from 'vscode';
import type { NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import {
  type KnownNames,
  filterNamesWithId,
  getKnownNames,
  cacheUsersAndGroups,
} from '../../connections/knownNames.ts';
import type { FileCatalogs, ProjectFile } from '../../platform/projects/fileCatalogs.ts';
import { getFileKind } from '../../project/files/fileKinds.ts';
import { isAddedCubeSet } from '../../connections/cubeSetSubjects.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';
import type { ProjectNameLists } from '../../project/language/languageCalls.ts';
import { createColumnId } from '../../project/language/nameIds.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { FormsDeps } from './deps.ts';
import { getDocumentConnectionId } from './documentConnection.ts';

/** The source of the names that the document of a form may use: the files of its project, and a connection. */
export class FormNameSource {
  readonly #deps: FormsDeps;
  readonly #uri: vscode.Uri;
  readonly #catalogs: FileCatalogs;
  /** The file as last found; a checkout of another branch may remove its project, or add it again. */
  #file: ProjectFile | undefined;
  /** The title of the datamodel whose folder contains the file; empty if there is none. */
  #folderDatamodelTitle: string;
  #projectNames: ProjectNameLists | undefined;

  static async create(deps: FormsDeps, { uri }: vscode.TextDocument): Promise<FormNameSource> {
    const catalogs = await deps.loadFileCatalogs();
    const file = await findFile(catalogs, uri);
    const { datamodel = '' } = (await file?.catalog.getFileContext(file.path)) ?? {};
    const source = new FormNameSource(deps, uri, catalogs, file, datamodel);
    // Only to read the names of the project.
    await source.refreshAndFindDatamodel(datamodel);
    return source;
  }

  private constructor(
    deps: FormsDeps,
    uri: vscode.Uri,
    catalogs: FileCatalogs,
    file: ProjectFile | undefined,
    folderDatamodelTitle: string,
  ) {
    this.#deps = deps;
    this.#uri = uri;
    this.#catalogs = catalogs;
    this.#file = file;
    this.#folderDatamodelTitle = folderDatamodelTitle;
  }

  /** The title of the datamodel whose folder contains the file of a project; empty if there is none. */
  get folderDatamodelTitle(): string {
    return this.#folderDatamodelTitle;
  }

  /** Whether the document is a file of a project. Such files contain the names of users and groups, not their IDs. */
  get isInProject(): boolean {
    return this.#file !== undefined;
  }

  /** The connection of the document; for a file of a project, that of the environment, if any. */
  get connectionId(): string | undefined {
    return this.#file === undefined
      ? getDocumentConnectionId(this.#deps, this.#uri)
      : this.#catalogs.findConnection(this.#file.catalog)?.id;
  }

  /**
   * Whether the document contains the rules of a cube set of an instance, which may use the names of several
   * datamodels. False for files of a project, whose names come from the project.
   */
  get hasServerCubeSetRules(): boolean {
    const { connectionId, resource } = readDocumentAddress(this.#uri) ?? {};
    return (
      connectionId !== undefined &&
      resource !== undefined &&
      'subject' in resource &&
      isAddedCubeSet(this.#deps.connections.find(connectionId), resource.subject)
    );
  }

  /** The datamodels of the project; `undefined` for other documents. */
  get projectDatamodels(): ProjectNameLists['datamodels'] | undefined {
    return this.#file === undefined ? undefined : (this.#projectNames?.datamodels ?? []);
  }

  /** Fires when the files of the project may have changed, and when projects were added or removed. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#catalogs.onDidChange((changed) => {
      if (changed === undefined || changed === this.#file?.catalog) {
        listener();
      }
    });
  }

  /**
   * Returns a datamodel of the project; `undefined` for other documents. First finds the file in its project again, and
   * reads the names that the project uses and the title of the folder's datamodel: the other members return these.
   */
  async refreshAndFindDatamodel(title: string): Promise<NamedDatamodel | undefined> {
    const file = await findFile(this.#catalogs, this.#uri);
    this.#file = file;
    const [projectNames, context] = await Promise.all([
      file?.catalog.getProjectNames(),
      file?.catalog.getFileContext(file.path),
    ]);
    this.#projectNames = projectNames;
    this.#folderDatamodelTitle = context?.datamodel ?? '';
    return file?.catalog.getDatamodel(title);
  }

  /** Returns the values in rules of the project. */
  getValues({ table, column }: ColumnName): readonly string[] {
    return this.#projectNames?.members.get(createColumnId(table, column)) ?? [];
  }

  /**
   * Loads the known apps, groups and users. Users without an ID are left out. For a file of a project, the names are
   * used as IDs.
   * @param options.needsGroupIds whether groups without an ID are left out, too
   */
  async loadNames(options: { readonly needsGroupIds: boolean }): Promise<KnownNames> {
    const { connectionId } = this;
    await cacheUsersAndGroups(this.#deps, connectionId);
    const knownNames = getKnownNames(this.#deps, connectionId);
    if (this.#file === undefined) {
      return {
        ...knownNames,
        users: filterNamesWithId(knownNames.users),
        groups: options.needsGroupIds ? filterNamesWithId(knownNames.groups) : knownNames.groups,
      };
    }
    const merge = (used: readonly string[] = [], others: KnownNames['users']): KnownNames['users'] =>
      [...new Set([...used, ...others.map(({ name }) => name)])].map((name) => ({ id: name, name }));
    return {
      apps: merge(this.#projectNames?.apps, knownNames.apps),
      groups: merge(this.#projectNames?.groups, knownNames.groups),
      users: merge(this.#projectNames?.users, knownNames.users),
    };
  }
}

async function findFile(catalogs: FileCatalogs, uri: vscode.Uri): Promise<ProjectFile | undefined> {
  const file = await catalogs.findItemFile(uri);
  return file === undefined || getFileKind(file.path) === undefined ? undefined : file;
}
