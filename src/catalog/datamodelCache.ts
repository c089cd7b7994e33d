import { PromiseCache } from '../base/promiseCache.ts';
import type { Datamodel, Dataset, Relation } from '../contract/datamodel.ts';
import { type PartialResult, type UnreadableItem, toPartialResult } from '../contract/partialResult.ts';
import type { Table } from '../contract/table.ts';

/** The requests for the datamodels of an instance. */
export interface DatamodelSource {
  datamodel(datamodelId: string): Promise<Datamodel>;
  datasets(datamodelId: string): Promise<readonly Dataset[]>;
  tables(datamodelId: string, datasetId: string): Promise<readonly Table[]>;
  relations(datamodelId: string): Promise<readonly Relation[]>;
}

/** Caches the parts of one datamodel; see `InstanceCatalog`. Readable parts are kept even if others cannot be read. */
export class DatamodelCache {
  readonly #source: DatamodelSource;
  readonly #datamodelId: string;
  readonly #datamodel = new PromiseCache<PartialResult<Datamodel>>();
  readonly #datasets = new PromiseCache<PartialResult<readonly Dataset[]>>();
  readonly #tables = new PromiseCache<PartialResult<readonly Table[]>>();
  readonly #relations = new PromiseCache<PartialResult<readonly Relation[]>>();

  constructor(source: DatamodelSource, datamodelId: string) {
    this.#source = source;
    this.#datamodelId = datamodelId;
  }

  getDatamodel(): Promise<PartialResult<Datamodel>> {
    return this.#datamodel.get('', () => toPartialResult(this.#source.datamodel(this.#datamodelId)));
  }

  async getDatasets(): Promise<PartialResult<readonly Dataset[]>> {
    const { value, unreadable, failure } = await this.getDatamodel();
    return value.datasets
      ? {
          value: value.datasets,
          failure,
          unreadable: unreadable.filter(({ path }) => path[0] !== 'relations'),
        }
      : this.#datasets.get('', () => toPartialResult(this.#source.datasets(this.#datamodelId)));
  }

  async getTables(datasetId: string): Promise<PartialResult<readonly Table[]>> {
    const datasets = await this.getDatasets();
    const embeddedTables = datasets.value.find(({ oid }) => oid === datasetId)?.schema?.tables;
    return embeddedTables
      ? {
          ...datasets,
          value: embeddedTables,
          unreadable: getUnreadableItems(datasets, datasetId),
          omittedCount: 0,
        }
      : this.#tables.get(datasetId, () => toPartialResult(this.#source.tables(this.#datamodelId, datasetId)));
  }

  async getRelations(): Promise<PartialResult<readonly Relation[]>> {
    const { value, unreadable, failure } = await this.getDatamodel();
    return value.relations
      ? {
          value: value.relations,
          failure,
          unreadable: unreadable.filter(({ path }) => path[0] === 'relations'),
        }
      : this.#relations.get('', () => toPartialResult(this.#source.relations(this.#datamodelId)));
  }

  /** The loaded and readable parts of the datamodel, in the same shape as a complete one. */
  peek(): Datamodel | undefined {
    const datamodel = this.#datamodel.peek('')?.value;
    if (datamodel === undefined) {
      return undefined;
    }
    const datasets = datamodel.datasets ?? this.#datasets.peek('')?.value;
    return {
      ...datamodel,
      datasets: datasets?.map((dataset) => this.#peekDataset(dataset)),
      relations: datamodel.relations ?? this.#relations.peek('')?.value.slice(),
    };
  }

  /** True if some of the loaded parts could not be read. */
  get isPartial(): boolean {
    const caches = [this.#datamodel, this.#datasets, this.#tables, this.#relations];
    return caches.some((cache) => cache.entries.some(([, { unreadable }]) => unreadable.length > 0));
  }

  #peekDataset(dataset: Dataset): Dataset {
    const tables = this.#tables.peek(dataset.oid)?.value;
    return dataset.schema?.tables || tables === undefined
      ? dataset
      : { ...dataset, schema: { ...dataset.schema, tables: [...tables] } };
  }
}

const isInTables = ({ path }: UnreadableItem): boolean => path.includes('tables');

/**
 * The unreadable items in a dataset. The list omits unreadable datasets, so an index in the list may differ from the
 * position in the response.
 */
function getUnreadableItems(
  { value, unreadable }: PartialResult<readonly Dataset[]>,
  datasetId: string,
): readonly UnreadableItem[] {
  const unreadableIndexes = new Set(
    unreadable.filter((item) => !isInTables(item)).map(({ path }) => path.at(-1)),
  );
  let index = -1;
  for (const { oid } of value) {
    do {
      index += 1;
    } while (unreadableIndexes.has(index));
    if (oid === datasetId) {
      return unreadable.filter(
        (item) => isInTables(item) && item.path.find((key) => typeof key === 'number') === index,
      );
    }
  }
  return [];
}
