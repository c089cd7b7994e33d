import {
  type Dataset,
  type DatasetChange,
  type NewDataset,
  datasetSchema,
} from '../../contract/datamodel.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Answer } from '../answer.ts';
import {
  type ConnectionPayloadOptions,
  datasetChangePayload,
  newDatasetPayload,
} from '../payloads/datasetPayload.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { readDone, readList, readOne, readWritten } from '../reading.ts';
import type { Send } from '../send.ts';

/** Datasets of a datamodel (spec, "Dataset"). */
export class DatasetsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(path: PathParams<'datasets.list'>, signal?: AbortSignal): Promise<Answer<readonly Dataset[]>> {
    return readList(await this.#send('datasets.list', path, { signal }), datasetSchema);
  }

  async get(path: PathParams<'datasets.get'>, signal?: AbortSignal): Promise<Answer<Dataset>> {
    return readOne(await this.#send('datasets.get', path, { signal }), datasetSchema);
  }

  /** The connection is left out for the custom type and stripped of its read-only properties (spec). */
  async create(
    path: PathParams<'datasets.create'>,
    dataset: NewDataset | WriteDocument,
    options: ConnectionPayloadOptions = {},
    signal?: AbortSignal,
  ): Promise<Answer<Dataset | undefined>> {
    const body = () => newDatasetPayload(dataset, options);
    return readWritten(await this.#send('datasets.create', path, { body, signal }), datasetSchema, 'oid');
  }

  /** Replaces the connection, the only thing that can be modified; complete for its connector (spec). */
  async update(
    path: PathParams<'datasets.update'>,
    change: DatasetChange | WriteDocument,
    options: ConnectionPayloadOptions = {},
    signal?: AbortSignal,
  ): Promise<Answer<Dataset | undefined>> {
    const body = () => datasetChangePayload(change, options);
    return readWritten(await this.#send('datasets.update', path, { body, signal }), datasetSchema, 'oid');
  }

  /** Deletes the dataset and its tables; what refers to them stays behind (spec, rule 4). */
  async delete(path: PathParams<'datasets.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('datasets.delete', path, { signal }));
  }
}
