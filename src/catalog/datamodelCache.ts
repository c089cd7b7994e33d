import type { Datamodel } from '../contract/datamodel.ts';
import type { Dataset } from '../contract/dataset.ts';
import type { Relation } from '../contract/relation.ts';
import type { Table } from '../contract/table.ts';
import { LoadCache } from './loadCache.ts';

/** What is asked of an instance about its datamodels. */
export interface DatamodelSource {
  datamodel(datamodelId: string): Promise<Datamodel>;
  datasets(datamodelId: string): Promise<readonly Dataset[]>;
  tables(datamodelId: string, datasetId: string): Promise<readonly Table[]>;
  relations(datamodelId: string): Promise<readonly Relation[]>;
}

/** What is known of one datamodel; see `Catalog`. */
export class DatamodelCache {
  readonly #source: DatamodelSource;
  readonly #datamodelId: string;
  readonly #whole = new LoadCache<Datamodel>();
  readonly #datasets = new LoadCache<readonly Dataset[]>();
  readonly #tables = new LoadCache<readonly Table[]>();
  readonly #relations = new LoadCache<readonly Relation[]>();

  constructor(source: DatamodelSource, datamodelId: string) {
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

  /** The datamodel as far as it was loaded, in the form in which it would be answered whole. */
  peek(): Datamodel | undefined {
    const whole = this.#whole.peek('');
    if (whole === undefined) {
      return undefined;
    }
    const datasets = whole.datasets ?? this.#datasets.peek('');
    return {
      ...whole,
      datasets: datasets?.map((dataset) => this.#peekDataset(dataset)),
      relations: whole.relations ?? this.#relations.peek('')?.slice(),
    };
  }

  #peekDataset(dataset: Dataset): Dataset {
    const tables = this.#tables.peek(dataset.oid);
    return dataset.schema?.tables || tables === undefined
      ? dataset
      : { ...dataset, schema: { ...dataset.schema, tables: [...tables] } };
  }
}
