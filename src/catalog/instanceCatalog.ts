import { assertNever } from '../base/assertNever.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { stringify } from '../base/json.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { BuildTask } from '../contract/build.ts';
import type { CustomDataObject } from '../contract/customData.ts';
import type { Datamodel, Dataset, Relation } from '../contract/datamodel.ts';
import { type PartialResult, toPartialResult, requireComplete } from '../contract/partialResult.ts';
import type { Rule } from '../contract/rule.ts';
import type { Table } from '../contract/table.ts';
import type { Viewpoint, ViewpointPage } from '../contract/viewpoint.ts';
import { DatamodelCache, type DatamodelSource } from './datamodelCache.ts';
import { NamedDatamodels } from './namedDatamodels.ts';
import { sortByName } from './naturalOrder.ts';
import type { RuleSubject } from './ruleSubject.ts';
import { ViewpointList } from './viewpointList.ts';

/** The requests that the catalog sends to an instance; `createCatalogSource` implements them with the client. */
export interface CatalogSource extends DatamodelSource {
  datamodels(): Promise<readonly Datamodel[]>;
  rules(subject: RuleSubject): Promise<readonly Rule[]>;
  /** One page of viewpoints starting at `offset`, with at least `minCount` items if there are that many. */
  viewpoints(offset: number, minCount: number): Promise<ViewpointPage>;
  customData(): Promise<readonly CustomDataObject[]>;
  builds(): Promise<readonly BuildTask[]>;
}

/**
 * The contents of an instance for display: parts that cannot be read do not hide the others. Callers that depend on
 * completeness (rules, impact of a write) use the catalog itself, which returns everything or fails.
 */
export interface ReadableContents {
  datamodels(): Promise<PartialResult<readonly Datamodel[]>>;
  datasets(datamodelId: string): Promise<PartialResult<readonly Dataset[]>>;
  tables(datamodelId: string, datasetId: string): Promise<PartialResult<readonly Table[]>>;
  relations(datamodelId: string): Promise<PartialResult<readonly Relation[]>>;
  rules(subject: RuleSubject): Promise<PartialResult<readonly Rule[]>>;
  customData(): Promise<PartialResult<readonly CustomDataObject[]>>;
  builds(): Promise<PartialResult<readonly BuildTask[]>>;
}

/**
 * What has changed: everything, one collection, one datamodel with its datasets, tables, and relations, or the rules
 * of one subject.
 */
export type CatalogChange =
  | { readonly kind: 'all' | 'datamodels' | 'viewpoints' | 'customData' | 'builds' }
  | { readonly kind: 'datamodel'; readonly datamodelId: string }
  | { readonly kind: 'rules'; readonly subject: RuleSubject };

/** The loaded part of an instance; see {@link InstanceCatalog.knownResources}. */
export interface KnownResources {
  /** May be incomplete: a list may return datamodels without their datasets. */
  readonly datamodels: readonly Datamodel[];
  readonly rules: readonly { readonly subject: RuleSubject; readonly rules: readonly Rule[] }[];
  readonly viewpoints: readonly Viewpoint[];
}

/**
 * Caches the contents of one instance. Loads lazily, shares requests between callers, and keeps each response until it
 * is invalidated. A datamodel that is returned complete (platform-facts.md, 2.1) provides its datasets, tables and
 * relations without another request; if an instance returns it without them, each list is requested separately
 * (rest-api.md, "Datamodel API").
 */
export class InstanceCatalog implements Disposable {
  readonly #source: CatalogSource;
  readonly #datamodelList = new PromiseCache<PartialResult<readonly Datamodel[]>>();
  readonly #datamodelCaches = new Map<string, DatamodelCache>();
  readonly #rules = new PromiseCache<PartialResult<readonly Rule[]>>();
  readonly #customData = new PromiseCache<PartialResult<readonly CustomDataObject[]>>();
  readonly #builds = new PromiseCache<PartialResult<readonly BuildTask[]>>();
  #viewpoints: ViewpointList;
  readonly #onDidChange = new Emitter<CatalogChange>();
  readonly onDidChange = this.#onDidChange.event;

  /** The contents that can be read; each result also lists the items that can't. */
  readonly partial: ReadableContents = {
    datamodels: () => this.#datamodelList.get('', () => this.#loadDatamodels()),
    datasets: (datamodelId) => this.#getDatamodelCache(datamodelId).getDatasets(),
    tables: (datamodelId, datasetId) => this.#getDatamodelCache(datamodelId).getTables(datasetId),
    relations: (datamodelId) => this.#getDatamodelCache(datamodelId).getRelations(),
    rules: (subject) =>
      this.#rules.get(JSON.stringify(subject), () => toPartialResult(this.#source.rules(subject))),
    customData: () => this.#customData.get('', () => toPartialResult(this.#source.customData())),
    builds: () => this.#builds.get('', () => toPartialResult(this.#source.builds())),
  };

  /** The complete datamodels, with the names of their tables and columns. */
  readonly namedDatamodels = new NamedDatamodels(this);

  constructor(source: CatalogSource) {
    this.#source = source;
    this.#viewpoints = this.#createViewpointList(0);
  }

  /** An empty catalog of the same instance, which requests everything again. */
  createEmptyCopy(): InstanceCatalog {
    return new InstanceCatalog(this.#source);
  }

  datamodels(): Promise<readonly Datamodel[]> {
    return this.#getComplete(this.partial.datamodels(), () => this.#datamodelList.clear());
  }

  datamodel(datamodelId: string): Promise<Datamodel> {
    return this.#getComplete(this.#getDatamodelCache(datamodelId).getDatamodel(), () =>
      this.#forgetDatamodel(datamodelId),
    );
  }

  datasets(datamodelId: string): Promise<readonly Dataset[]> {
    return this.#getComplete(this.partial.datasets(datamodelId), () => this.#forgetDatamodel(datamodelId));
  }

  tables(datamodelId: string, datasetId: string): Promise<readonly Table[]> {
    return this.#getComplete(this.partial.tables(datamodelId, datasetId), () =>
      this.#forgetDatamodel(datamodelId),
    );
  }

  relations(datamodelId: string): Promise<readonly Relation[]> {
    return this.#getComplete(this.partial.relations(datamodelId), () => this.#forgetDatamodel(datamodelId));
  }

  /** The data security rules of a datamodel or cube set. */
  rules(subject: RuleSubject): Promise<readonly Rule[]> {
    return this.#getComplete(this.partial.rules(subject), () => this.#rules.forget(JSON.stringify(subject)));
  }

  /** The viewpoints, page by page; a new list after each invalidation. */
  get viewpoints(): ViewpointList {
    return this.#viewpoints;
  }

  customData(): Promise<readonly CustomDataObject[]> {
    return this.#getComplete(this.partial.customData(), () => this.#customData.clear());
  }

  /** The build tasks that the instance lists. */
  builds(): Promise<readonly BuildTask[]> {
    return this.#getComplete(this.partial.builds(), () => this.#builds.clear());
  }

  /** Everything that was loaded and could be read; sends no request. */
  get knownResources(): KnownResources {
    const ids = new Set([...this.#listedDatamodels.map(({ oid }) => oid), ...this.#datamodelCaches.keys()]);
    return {
      datamodels: [...ids].flatMap(
        (id) => this.#datamodelCaches.get(id)?.peek() ?? this.#findListEntry(id) ?? [],
      ),
      rules: this.#rules.entries.map(([key, { value }]) => ({
        subject: JSON.parse(key) as RuleSubject,
        rules: value,
      })),
      viewpoints: this.#viewpoints.loaded.viewpoints,
    };
  }

  /** The titles of all datamodels; `undefined` if the list was not loaded or is incomplete. Sends no request. */
  get listedDatamodelTitles(): ReadonlySet<string> | undefined {
    const list = this.#datamodelList.peek('');
    return list === undefined || list.unreadable.length > 0
      ? undefined
      : new Set(list.value.map(({ title }) => title));
  }

  /** The custom data that was loaded and could be read; sends no request. */
  get knownCustomData(): readonly CustomDataObject[] {
    return this.#customData.peek('')?.value ?? noCustomData;
  }

  /**
   * What is loaded of a datamodel: its loaded parts, or else its entry in the list, or else nothing. If some of it
   * could not be read, only the entry is returned, so that it is not mistaken for complete. Sends no request.
   */
  getKnownDatamodel(datamodelId: string): Datamodel | undefined {
    const cache = this.#datamodelCaches.get(datamodelId);
    return (cache?.isPartial === true ? undefined : cache?.peek()) ?? this.#findListEntry(datamodelId);
  }

  /** Discards the contents that have changed, so that they are requested again, and fires an event. */
  invalidate(change: CatalogChange): void {
    this.#forget(change);
    this.#onDidChange.fire(change);
  }

  /**
   * Requests the list of datamodels again, if it was loaded before, and discards the datamodels whose entry has
   * changed. Sends at most one request.
   */
  async revalidate(): Promise<void> {
    const previousList = this.#datamodelList.peek('');
    if (previousList === undefined) {
      return;
    }
    const newList = await this.#loadDatamodels();
    // The list was invalidated or loaded again in the meantime.
    if (this.#datamodelList.peek('') !== previousList) {
      return;
    }
    const [oldTexts, newTexts] = [serializeById(previousList.value), serializeById(newList.value)];
    const changedIds = [...new Set([...oldTexts.keys(), ...newTexts.keys()])].filter(
      (id) => oldTexts.get(id) !== newTexts.get(id),
    );
    this.#datamodelList.set('', newList);
    // All are discarded first: a listener may read any of them.
    changedIds.forEach((datamodelId) => this.#forgetDatamodel(datamodelId));
    for (const datamodelId of changedIds) {
      this.#onDidChange.fire({ kind: 'datamodel', datamodelId });
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  async #loadDatamodels(): Promise<PartialResult<readonly Datamodel[]>> {
    const list = await toPartialResult(this.#source.datamodels());
    return { ...list, value: sortByName(list.value, ({ title }) => title) };
  }

  get #listedDatamodels(): readonly Datamodel[] {
    return this.#datamodelList.peek('')?.value ?? [];
  }

  #findListEntry(datamodelId: string): Datamodel | undefined {
    return this.#listedDatamodels.find(({ oid }) => oid === datamodelId);
  }

  /** Returns the complete result or throws. A failure is not cached, so that a retry sends a new request. */
  async #getComplete<T>(result: Promise<PartialResult<T>>, forget: () => void): Promise<T> {
    if ((await result).unreadable.length > 0) {
      forget();
    }
    return requireComplete(result);
  }

  #forget(change: CatalogChange): void {
    switch (change.kind) {
      case 'all':
        this.#rules.clear();
        this.#forgetDatamodels();
        this.#customData.clear();
        this.#builds.clear();
        this.#viewpoints = this.#createViewpointList(this.#viewpoints.loaded.viewpoints.length);
        break;
      case 'datamodels':
        this.#forgetDatamodels();
        break;
      case 'datamodel':
        this.#forgetDatamodel(change.datamodelId);
        // The list contains the time of the last build, so a change of any datamodel makes it outdated.
        this.#datamodelList.clear();
        break;
      case 'rules':
        this.#rules.forget(JSON.stringify(change.subject));
        break;
      case 'viewpoints':
        this.#viewpoints = this.#createViewpointList(this.#viewpoints.loaded.viewpoints.length);
        break;
      case 'customData':
        this.#customData.clear();
        break;
      case 'builds':
        this.#builds.clear();
        break;
      default:
        assertNever(change);
    }
  }

  #forgetDatamodels(): void {
    this.#datamodelList.clear();
    this.#datamodelCaches.clear();
    this.namedDatamodels.clear();
  }

  #forgetDatamodel(datamodelId: string): void {
    this.#datamodelCaches.delete(datamodelId);
    this.namedDatamodels.forget(datamodelId);
  }

  /**
   * @param shownCount number of viewpoints listed before: as many are loaded again, so that the selection remains in
   * the list
   */
  #createViewpointList(shownCount: number): ViewpointList {
    return new ViewpointList(
      (offset, minCount) => this.#source.viewpoints(offset, minCount),
      Math.min(shownCount, maxPageSize),
    );
  }

  #getDatamodelCache(datamodelId: string): DatamodelCache {
    const existing = this.#datamodelCaches.get(datamodelId);
    if (existing !== undefined) {
      return existing;
    }
    const cache = new DatamodelCache(this.#source, datamodelId);
    this.#datamodelCaches.set(datamodelId, cache);
    return cache;
  }
}

const noCustomData: readonly CustomDataObject[] = [];

/** Maximum number of viewpoints per request: more would cause a noticeable delay. */
const maxPageSize = 500;

const serializeById = (list: readonly Datamodel[]): ReadonlyMap<string, string> =>
  new Map(list.map((entry) => [entry.oid, stringify(entry)]));
