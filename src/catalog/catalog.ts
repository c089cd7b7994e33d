import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { CustomDataObject } from '../contract/customData.ts';
import type { Datamodel } from '../contract/datamodel.ts';
import type { Dataset } from '../contract/dataset.ts';
import type { Relation } from '../contract/relation.ts';
import type { Rule } from '../contract/rule.ts';
import type { Table } from '../contract/table.ts';
import type { ViewpointPage } from '../contract/viewpoint.ts';
import type { RuleSubject } from './ruleSubject.ts';
import { ViewpointList } from './viewpointList.ts';

/** What the catalogue asks of an instance. The client is adapted to it where both are constructed. */
export interface CatalogSource {
  datamodels(): Promise<readonly Datamodel[]>;
  datamodel(datamodelId: string): Promise<Datamodel>;
  datasets(datamodelId: string): Promise<readonly Dataset[]>;
  tables(datamodelId: string, datasetId: string): Promise<readonly Table[]>;
  relations(datamodelId: string): Promise<readonly Relation[]>;
  rules(subject: RuleSubject): Promise<readonly Rule[]>;
  /** One page of viewpoints from `offset` on. */
  viewpoints(offset: number): Promise<ViewpointPage>;
  customData(): Promise<readonly CustomDataObject[]>;
}

/** What is no longer as it was: everything, one datamodel with all that it holds, or one of the other collections. */
export type CatalogChange =
  | { readonly kind: 'all' | 'viewpoints' | 'customData' }
  | { readonly kind: 'datamodel'; readonly datamodelId: string }
  | { readonly kind: 'rules'; readonly subject: RuleSubject };

/**
 * What is known of one instance. Loads lazily, shares loads, and keeps each answer until it is invalidated. A
 * datamodel that is answered whole (platform-facts 2.1) serves its datasets, tables and relations without a further
 * request; where an instance answers it without them, each list is asked for on its own (spec, "Datamodel API").
 */
export class Catalog implements Disposable {
  readonly #source: CatalogSource;
  readonly #lists = new PromiseCache<readonly Datamodel[]>();
  readonly #models = new Map<string, DatamodelCache>();
  readonly #rules = new PromiseCache<readonly Rule[]>();
  readonly #customData = new PromiseCache<readonly CustomDataObject[]>();
  #viewpoints: ViewpointList;
  readonly #onDidChange = new Emitter<CatalogChange>();
  readonly onDidChange = this.#onDidChange.event;

  constructor(source: CatalogSource) {
    this.#source = source;
    this.#viewpoints = this.#newViewpointList();
  }

  /** The datamodels of the instance, by title. */
  datamodels(): Promise<readonly Datamodel[]> {
    return this.#lists.get('all', async () =>
      [...(await this.#source.datamodels())].sort((a, b) => a.title.localeCompare(b.title)),
    );
  }

  datamodel(datamodelId: string): Promise<Datamodel> {
    return this.#model(datamodelId).whole();
  }

  datasets(datamodelId: string): Promise<readonly Dataset[]> {
    return this.#model(datamodelId).datasets();
  }

  tables(datamodelId: string, datasetId: string): Promise<readonly Table[]> {
    return this.#model(datamodelId).tables(datasetId);
  }

  relations(datamodelId: string): Promise<readonly Relation[]> {
    return this.#model(datamodelId).relations();
  }

  /** The data security rules of a datamodel or cube set. */
  rules(subject: RuleSubject): Promise<readonly Rule[]> {
    return this.#rules.get(JSON.stringify(subject), () => this.#source.rules(subject));
  }

  /** The viewpoints, page by page; a new list after each invalidation. */
  get viewpoints(): ViewpointList {
    return this.#viewpoints;
  }

  customData(): Promise<readonly CustomDataObject[]> {
    return this.#customData.get('all', () => this.#source.customData());
  }

  /** Forgets what has changed, so that it is asked for anew, and tells so. */
  invalidate(change: CatalogChange): void {
    switch (change.kind) {
      case 'all':
        this.#lists.clear();
        this.#models.clear();
        this.#rules.clear();
        this.#customData.clear();
        this.#viewpoints = this.#newViewpointList();
        break;
      case 'datamodel':
        this.#models.delete(change.datamodelId);
        // The list tells when a datamodel was last built, so it ages with any of its datamodels.
        this.#lists.clear();
        break;
      case 'rules':
        this.#rules.forget(JSON.stringify(change.subject));
        break;
      case 'viewpoints':
        this.#viewpoints = this.#newViewpointList();
        break;
      case 'customData':
        this.#customData.clear();
        break;
    }
    this.#onDidChange.fire(change);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #newViewpointList(): ViewpointList {
    return new ViewpointList((offset) => this.#source.viewpoints(offset));
  }

  #model(datamodelId: string): DatamodelCache {
    const known = this.#models.get(datamodelId);
    if (known !== undefined) {
      return known;
    }
    const model = new DatamodelCache(this.#source, datamodelId);
    this.#models.set(datamodelId, model);
    return model;
  }
}

class DatamodelCache {
  readonly #source: CatalogSource;
  readonly #datamodelId: string;
  readonly #whole = new PromiseCache<Datamodel>();
  readonly #datasets = new PromiseCache<readonly Dataset[]>();
  readonly #tables = new PromiseCache<readonly Table[]>();
  readonly #relations = new PromiseCache<readonly Relation[]>();

  constructor(source: CatalogSource, datamodelId: string) {
    this.#source = source;
    this.#datamodelId = datamodelId;
  }

  whole(): Promise<Datamodel> {
    return this.#whole.get('', () => this.#source.datamodel(this.#datamodelId));
  }

  async datasets(): Promise<readonly Dataset[]> {
    const embedded = (await this.whole()).datasets;
    return embedded ?? this.#datasets.get('', () => this.#source.datasets(this.#datamodelId));
  }

  async tables(datasetId: string): Promise<readonly Table[]> {
    const dataset = (await this.datasets()).find(({ oid }) => oid === datasetId);
    const embedded = dataset?.schema?.tables;
    return embedded ?? this.#tables.get(datasetId, () => this.#source.tables(this.#datamodelId, datasetId));
  }

  async relations(): Promise<readonly Relation[]> {
    const embedded = (await this.whole()).relations;
    return embedded ?? this.#relations.get('', () => this.#source.relations(this.#datamodelId));
  }
}
