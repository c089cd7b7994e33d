import { retryOnSessionReplaced } from '../../client/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { InstanceCatalog, KnownResources } from '../../catalog/instanceCatalog.ts';
import type { NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import {
  getRuleSubject,
  getSubjectTitle,
  isSameSubject,
  type RuleSubject,
} from '../../catalog/ruleSubject.ts';
import { isAddedCubeSet } from '../../connections/cubeSetSubjects.ts';
import { CatalogReferencedNames } from '../../catalog/referencedNames.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import { peekUserDirectory } from '../../connections/createUserDirectory.ts';
import type { LanguageContext, NamedEntity } from '../../json/language/languageContext.ts';
import type { JsonDocumentKind } from '../../json/language/documentKind.ts';
import { type DatamodelTitle, findDatamodelTitle } from '../../json/language/datamodelTitle.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import { KnownValues } from '../../security/values/knownValues.ts';
import type { ProjectFile } from '../../platform/projects/fileCatalogs.ts';
import { getFileKind } from '../../project/files/fileKinds.ts';
import { addInstanceNames, createInstanceNames, readFileKnowledge } from './fileKnowledge.ts';
import type { KnownParty } from '../../catalog/people/userDirectory.ts';
import { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { findServerResource } from './resourceIdentity.ts';
import * as vscode from 'vscode';

/** The loaded data of the datamodel that a document refers to. */
export interface DatamodelKnowledge extends NamedDatamodel {
  /** `undefined` if the datamodel comes from the files of a project. */
  readonly connectionId: string | undefined;
  readonly model: DatamodelLookup;
}

/** The loaded data that language features need for a document. */
export interface DocumentKnowledge extends LanguageContext {
  readonly connectionId: string | undefined;
  readonly datamodelKnowledge: DatamodelKnowledge | undefined;
  /**
   * The names that the document may use: those of its datamodel, or for a cube set, those of all extract datamodels.
   */
  readonly catalog: NamedDatamodel['catalog'] | undefined;
  /** The datamodel title in the document, if the instance has no such datamodel. */
  readonly unknownDatamodel: DatamodelTitle | undefined;
  /** The catalog of the instance; `undefined` if no session is open. */
  readonly instanceCatalog: InstanceCatalog | undefined;
  /**
   * True if the document contains the rules of a cube set for which the server lists none, so that it may not exist.
   */
  readonly isUnconfirmedCubeSet: boolean;
  /** The known values of columns, for a document with rules. */
  readonly knownValues: KnownValues;
  /**
   * Where the datamodel of a project file comes from: a connection only if the files of the project don't contain it.
   * Absent for other documents.
   */
  readonly datamodelSource?: 'files' | 'connection';
}

/** The time after a failed load before another datamodel of the connection is requested, in milliseconds. */
const retryDelayMs = 30_000;

/**
 * Provides the data of the datamodels that open documents refer to. Loaded data is not requested again while the user
 * types.
 */
export class DocumentKnowledgeService implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #knowledgeByDatamodel = new WeakMap<NamedDatamodel, DatamodelKnowledge>();
  /** The time at which a failed connection may be requested again, by connection ID. */
  readonly #retryTimes = new Map<string, number>();
  /** The keys of the lists that {@link #requestNamesOnce} has requested and that can't have changed since. */
  readonly #requestedKeys = new Set<string>();
  readonly #knownValuesReader = new KnownValuesReader();
  /** The title that was read last, since completion, diagnostics and hover need the title of the same text. */
  #cachedTitle:
    | {
        readonly kind: JsonDocumentKind;
        readonly json: JsonDocument;
        readonly title: DatamodelTitle | undefined;
      }
    | undefined;
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<void>());
  /** Fires when the result of `getKnowledge` may have changed for some document. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: JsonLanguageDeps) {
    this.#deps = deps;
    const { sessions } = deps;
    this.#store.add(
      sessions.onDidChangeCatalog(({ connectionId, change }) => {
        if (change.kind === 'rules' && this.#isCubeSet(connectionId, change.subject)) {
          // The server may now list rules of a cube set.
          this.#requestedKeys.delete(JSON.stringify([connectionId, change.subject]));
          this.#onDidChange.fire();
        }
        if (change.kind === 'all' || change.kind === 'datamodels' || change.kind === 'datamodel') {
          this.#invalidate();
        }
      }),
    );
    this.#store.add(sessions.onDidOpen(() => this.#invalidate()));
    this.#store.add(sessions.onDidEnd(() => this.#invalidate()));
    this.#store.add(deps.currentConnection.onDidChange(() => this.#onDidChange.fire()));
    void this.#subscribeToProjects();
  }

  /** Returns the loaded data for a document. Never rejects: data that cannot be loaded is left out. */
  async getKnowledge(
    uri: vscode.Uri,
    kind: JsonDocumentKind,
    json: JsonDocument,
  ): Promise<DocumentKnowledge> {
    const identity = findServerResource(uri);
    const titleInDocument = this.#readTitle(kind, json);
    // The URI of a rule on a server identifies its datamodel, regardless of the text.
    const resource = identity?.resource;
    const title =
      resource !== undefined && 'subject' in resource
        ? getSubjectTitle(resource.subject)
        : titleInDocument?.title;
    // Without a title, a file belongs to the datamodel that the user picked for it (decisions.md, "Connections").
    const pickedDatamodel =
      title === undefined && identity === undefined
        ? new PickedDatamodels(this.#deps.pickedDatamodelStorage).get(uri.toString())
        : undefined;
    const file = identity === undefined ? await this.#findProjectFile(uri) : undefined;
    const fileKnowledge =
      file === undefined ? undefined : await this.#readFileKnowledge(file, kind, titleInDocument?.title);
    if (fileKnowledge !== undefined) {
      return fileKnowledge;
    }
    const connectionId =
      file === undefined
        ? (identity?.connectionId ?? pickedDatamodel?.connectionId ?? this.#deps.currentConnection.value?.id)
        : (await this.#deps.loadFileCatalogs()).findConnection(file.catalog)?.id;
    const cubeSet = this.#findCubeSet(connectionId, resource);
    const datamodelKnowledge =
      connectionId === undefined || cubeSet !== undefined
        ? undefined
        : await this.#loadDatamodel(connectionId, { title, datamodelId: pickedDatamodel?.datamodelId });
    const catalog =
      connectionId === undefined || cubeSet === undefined
        ? datamodelKnowledge?.catalog
        : await this.#load(connectionId, ({ namedDatamodels }) => namedDatamodels.getForCubeSet());
    const instanceCatalog =
      connectionId === undefined ? undefined : this.#deps.sessions.peek(connectionId)?.catalog;
    if (connectionId !== undefined && instanceCatalog !== undefined) {
      this.#requestNamesOnce(connectionId, kind, datamodelKnowledge, cubeSet, instanceCatalog);
    }
    const datamodels = instanceCatalog?.knownResources.datamodels ?? [];
    const knownValues = this.#knownValuesReader.read(kind === 'viewpoint' ? undefined : instanceCatalog);
    const hasFailed = this.#retryTimes.has(connectionId ?? '');
    const isUnknown =
      titleInDocument !== undefined &&
      cubeSet === undefined &&
      !hasFailed &&
      datamodels.length > 0 &&
      !datamodels.some((datamodel) => datamodel.title === title);
    const referencedNames = this.#getReferencedNames(
      connectionId,
      instanceCatalog?.knownResources ?? { datamodels: [], rules: [], viewpoints: [] },
      knownValues,
    );
    return {
      ...(file === undefined ? {} : { datamodelSource: 'connection' }),
      connectionId,
      datamodelKnowledge,
      catalog,
      unknownDatamodel: isUnknown ? titleInDocument : undefined,
      instanceCatalog,
      isUnconfirmedCubeSet: cubeSet !== undefined && isKnownToBeEmpty(instanceCatalog, cubeSet),
      knownValues,
      model: datamodelKnowledge?.model ?? new DatamodelLookup(catalog),
      instanceNames:
        file === undefined
          ? referencedNames
          : addInstanceNames(
              createInstanceNames(
                await file.catalog.getProjectNames(),
                connectionId === undefined ? undefined : peekUserDirectory(this.#deps, connectionId),
              ),
              referencedNames,
            ),
    };
  }

  /** Returns whether a document is a file of a project. */
  async isInProject(uri: vscode.Uri): Promise<boolean> {
    return findServerResource(uri) === undefined && (await this.#findProjectFile(uri)) !== undefined;
  }

  async #findProjectFile(uri: vscode.Uri): Promise<ProjectFile | undefined> {
    const file = await (await this.#deps.loadFileCatalogs()).findItemFile(uri);
    return file === undefined || getFileKind(file.path) === undefined ? undefined : file;
  }

  async #readFileKnowledge(
    file: ProjectFile,
    kind: JsonDocumentKind,
    title: string | undefined,
  ): Promise<DocumentKnowledge | undefined> {
    const fileKnowledge = await readFileKnowledge(file, kind, title);
    if (fileKnowledge === undefined) {
      return undefined;
    }
    const connection = (await this.#deps.loadFileCatalogs()).findConnection(file.catalog);
    const datamodelKnowledge = this.#getOrCreateKnowledge(undefined, fileKnowledge.namedDatamodel);
    return {
      datamodelSource: 'files',
      connectionId: undefined,
      datamodelKnowledge,
      catalog: datamodelKnowledge.catalog,
      unknownDatamodel: undefined,
      instanceCatalog: undefined,
      isUnconfirmedCubeSet: false,
      knownValues: new KnownValues([]),
      model: datamodelKnowledge.model,
      instanceNames: createInstanceNames(
        fileKnowledge.projectNames,
        connection && peekUserDirectory(this.#deps, connection.id),
      ),
    };
  }

  /** Returns whether a document of the server contains the rules of a cube set. */
  hasCubeSetRules(uri: vscode.Uri): boolean {
    const identity = findServerResource(uri);
    return this.#findCubeSet(identity?.connectionId, identity?.resource) !== undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Returns the names used in loaded documents of the instance, and all known users and groups. */
  #getReferencedNames(
    connectionId: string | undefined,
    resources: KnownResources,
    knownValues: KnownValues,
  ): LanguageContext['instanceNames'] {
    const referencedNames = new CatalogReferencedNames(resources);
    const getMembers = (table: string, column: string): readonly string[] =>
      knownValues.getValues({ table, column });
    if (connectionId === undefined) {
      const { apps, groups, users, datamodels } = referencedNames;
      return { apps, groups, users, datamodels, getMembers };
    }
    const directory = peekUserDirectory(this.#deps, connectionId);
    const { apps, datamodels } = referencedNames;
    return {
      apps,
      datamodels,
      groups: directory.getParties('group').map(toNamedEntity),
      users: directory.getParties('user').map(toNamedEntity),
      getMembers,
    };
  }

  /** Returns the cube set whose rules a document of the server contains. */
  #findCubeSet(connectionId: string | undefined, resource: ResourceRef | undefined): RuleSubject | undefined {
    const subject = resource !== undefined && 'subject' in resource ? resource.subject : undefined;
    return connectionId !== undefined && subject !== undefined && this.#isCubeSet(connectionId, subject)
      ? subject
      : undefined;
  }

  #isCubeSet(connectionId: string, subject: RuleSubject): boolean {
    return isAddedCubeSet(this.#deps.connections.find(connectionId), subject);
  }

  #readTitle(kind: JsonDocumentKind, json: JsonDocument): DatamodelTitle | undefined {
    if (this.#cachedTitle?.kind !== kind || this.#cachedTitle.json !== json) {
      this.#cachedTitle = { kind, json, title: findDatamodelTitle(kind, json) };
    }
    return this.#cachedTitle.title;
  }

  /**
   * Loads the datamodel with the title or the ID; without a title, also the only datamodel of the instance. `undefined`
   * if there is none or it cannot be loaded.
   */
  async #loadDatamodel(
    connectionId: string,
    { title, datamodelId }: { readonly title: string | undefined; readonly datamodelId: string | undefined },
  ): Promise<DatamodelKnowledge | undefined> {
    const namedDatamodel = await this.#load(connectionId, ({ namedDatamodels }) =>
      namedDatamodels.find(
        (entry, _index, { length }) =>
          (title === undefined && length === 1) || entry.title === title || entry.oid === datamodelId,
      ),
    );
    return namedDatamodel && this.#getOrCreateKnowledge(connectionId, namedDatamodel);
  }

  /** Reads names from the catalog of a connection; `undefined` if that has failed, or if no session can be opened. */
  async #load<Names>(
    connectionId: string,
    read: (catalog: InstanceCatalog) => Promise<Names>,
  ): Promise<Names | undefined> {
    const { clock, log, sessions } = this.#deps;
    if (clock.now() < (this.#retryTimes.get(connectionId) ?? 0)) {
      return undefined;
    }
    try {
      const names = await retryOnSessionReplaced(async () => {
        // Opening a file does not start a sandbox.
        const session = await sessions.getWithoutStartingSandbox(connectionId);
        return session && read(session.catalog);
      });
      this.#retryTimes.delete(connectionId);
      return names;
    } catch (error) {
      log.warn('catalog', 'Names could not be loaded for a document', { reason: String(error) });
      this.#retryTimes.set(connectionId, clock.now() + retryDelayMs);
      return undefined;
    }
  }

  /** Returns the data derived from the names of a datamodel, created once per datamodel. */
  #getOrCreateKnowledge(
    connectionId: string | undefined,
    namedDatamodel: NamedDatamodel,
  ): DatamodelKnowledge {
    const knowledge = this.#knowledgeByDatamodel.get(namedDatamodel) ?? {
      connectionId,
      ...namedDatamodel,
      model: new DatamodelLookup(namedDatamodel.catalog),
    };
    this.#knowledgeByDatamodel.set(namedDatamodel, knowledge);
    return knowledge;
  }

  /**
   * Requests, once, the first page of viewpoints or the datamodel's rules, since they contain names of apps, groups and
   * users.
   */
  #requestNamesOnce(
    connectionId: string,
    kind: JsonDocumentKind,
    datamodelKnowledge: DatamodelKnowledge | undefined,
    cubeSet: RuleSubject | undefined,
    instanceCatalog: InstanceCatalog,
  ): void {
    const subject =
      cubeSet ??
      (datamodelKnowledge === undefined ? undefined : getRuleSubject(datamodelKnowledge.datamodel));
    const key = JSON.stringify([connectionId, kind === 'viewpoint' ? 'viewpoints' : subject]);
    if (this.#requestedKeys.has(key) || (kind !== 'viewpoint' && subject === undefined)) {
      return;
    }
    this.#requestedKeys.add(key);
    const request: Promise<unknown> =
      kind === 'viewpoint' || subject === undefined
        ? instanceCatalog.viewpoints.loadFirst()
        : instanceCatalog.rules(subject);
    void this.#fireOnceLoaded(request, kind);
  }

  /** Fires the event once rules are loaded: the values in the document are compared with those in the rules. */
  async #fireOnceLoaded(request: Promise<unknown>, kind: JsonDocumentKind): Promise<void> {
    try {
      await request;
    } catch (error) {
      this.#deps.log.info('catalog', 'Names for documents could not be loaded', { reason: String(error) });
      return;
    }
    if (kind !== 'viewpoint' && !this.#store.isDisposed) {
      this.#onDidChange.fire();
    }
  }

  async #subscribeToProjects(): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    if (!this.#store.isDisposed) {
      this.#store.add(catalogs.onDidChange(() => this.#onDidChange.fire()));
    }
  }

  #invalidate(): void {
    this.#retryTimes.clear();
    this.#requestedKeys.clear();
    this.#onDidChange.fire();
  }
}

const toNamedEntity = ({ id, name }: KnownParty): NamedEntity =>
  id === undefined ? { value: name } : { value: id, isId: true, ...(id === name ? {} : { label: name }) };

const isKnownToBeEmpty = (catalog: InstanceCatalog | undefined, subject: RuleSubject): boolean =>
  catalog?.knownResources.rules.some(
    (entry) => isSameSubject(entry.subject, subject) && entry.rules.length === 0,
  ) === true;
