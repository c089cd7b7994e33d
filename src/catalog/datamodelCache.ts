import { PromiseCache } from '../base/promiseCache.ts';
import type { Datamodel, Dataset, Relation } from '../contract/datamodel.ts';
import { type Readable, type Unreadable, readableOf } from '../contract/readable.ts';
import type { Table } from '../contract/table.ts';

/** What is asked of an instance about its datamodels. */
export interface DatamodelSource {
  datamodel(datamodelId: string): Promise<Datamodel>;
  datasets(datamodelId: string): Promise<readonly Dataset[]>;
  tables(datamodelId: string, datasetId: string): Promise<readonly Table[]>;
  relations(datamodelId: string): Promise<readonly Relation[]>;
}

/** What is known of one datamodel; see `Catalog`. A part of it that cannot be read is kept beside what can. */
export class DatamodelCache {
  readonly #source: DatamodelSource;
  readonly #datamodelId: string;
  readonly #whole = new PromiseCache<Readable<Datamodel>>();
  readonly #datasets = new PromiseCache<Readable<readonly Dataset[]>>();
  readonly #tables = new PromiseCache<Readable<readonly Table[]>>();
  readonly #relations = new PromiseCache<Readable<readonly Relation[]>>();

  constructor(source: DatamodelSource, datamodelId: string) {
    this.#source = source;
    this.#datamodelId = datamodelId;
  }

  whole(): Promise<Readable<Datamodel>> {
    return this.#whole.get('', () => readableOf(this.#source.datamodel(this.#datamodelId)));
  }

  async datasets(): Promise<Readable<readonly Dataset[]>> {
    const { value, unreadable, failure } = await this.whole();
    return value.datasets
      ? {
          value: value.datasets,
          failure,
          unreadable: unreadable.filter(({ path }) => path[0] !== 'relations'),
        }
      : this.#datasets.get('', () => readableOf(this.#source.datasets(this.#datamodelId)));
  }

  async tables(datasetId: string): Promise<Readable<readonly Table[]>> {
    const datasets = await this.datasets();
    const embedded = datasets.value.find(({ oid }) => oid === datasetId)?.schema?.tables;
    return embedded
      ? { ...datasets, value: embedded, unreadable: unreadableIn(datasets, datasetId), untold: 0 }
      : this.#tables.get(datasetId, () => readableOf(this.#source.tables(this.#datamodelId, datasetId)));
  }

  async relations(): Promise<Readable<readonly Relation[]>> {
    const { value, unreadable, failure } = await this.whole();
    return value.relations
      ? {
          value: value.relations,
          failure,
          unreadable: unreadable.filter(({ path }) => path[0] === 'relations'),
        }
      : this.#relations.get('', () => readableOf(this.#source.relations(this.#datamodelId)));
  }

  /** The datamodel as far as it was loaded and could be read, in the form in which it would be answered whole. */
  peek(): Datamodel | undefined {
    const whole = this.#whole.peek('')?.value;
    if (whole === undefined) {
      return undefined;
    }
    const datasets = whole.datasets ?? this.#datasets.peek('')?.value;
    return {
      ...whole,
      datasets: datasets?.map((dataset) => this.#peekDataset(dataset)),
      relations: whole.relations ?? this.#relations.peek('')?.value.slice(),
    };
  }

  /** True where a part of what was loaded could not be read. */
  get isPartial(): boolean {
    const caches = [this.#whole, this.#datasets, this.#tables, this.#relations];
    return caches.some((cache) => cache.kept.some(([, { unreadable }]) => unreadable.length > 0));
  }

  #peekDataset(dataset: Dataset): Dataset {
    const tables = this.#tables.peek(dataset.oid)?.value;
    return dataset.schema?.tables || tables === undefined
      ? dataset
      : { ...dataset, schema: { ...dataset.schema, tables: [...tables] } };
  }
}

const isOfTables = ({ path }: Unreadable): boolean => path.includes('tables');

/** What of a dataset could not be read; lists leave out what cannot be, so that its place is not its index. */
function unreadableIn(
  { value, unreadable }: Readable<readonly Dataset[]>,
  datasetId: string,
): readonly Unreadable[] {
  const gone = new Set(unreadable.filter((each) => !isOfTables(each)).map(({ path }) => path.at(-1)));
  let index = -1;
  for (const { oid } of value) {
    do {
      index += 1;
    } while (gone.has(index));
    if (oid === datasetId) {
      return unreadable.filter(
        (each) => isOfTables(each) && each.path.find((key) => typeof key === 'number') === index,
      );
    }
  }
  return [];
}
