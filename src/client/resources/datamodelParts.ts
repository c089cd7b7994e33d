import type { EndpointLabels } from '../endpointMethods.ts';
import {
  type Dataset,
  type DatasetChange,
  type NewDataset,
  datasetSchema,
  type Relation,
  type RelationInput,
  relationSchema,
} from '../../contract/datamodel.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { ApiResponse } from '../apiResponse.ts';
import type { DatasetConnectionPayloadOptions } from '../payloads/modelPayloads.ts';
import type { DocumentToWrite } from '../payloads/documentToWrite.ts';
import { readIgnoringBody, readList, readOne, readWrittenItem } from '../reading.ts';
import type { Send } from '../send.ts';
import { tableResponseSchema, type NewTable, type Table, type TableChange } from '../../contract/table.ts';
import { HttpError } from '../errors.ts';
import type { ServerCapabilities } from '../serverCapabilities.ts';

/** Datasets of a datamodel (rest-api.md, "Dataset"). */
export class DatasetsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(
    path: PathParams<'datasets.list'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly Dataset[]>> {
    return readList(await this.#send('datasets.list', path, { signal }), datasetSchema);
  }

  async get(path: PathParams<'datasets.get'>, signal?: AbortSignal): Promise<ApiResponse<Dataset>> {
    return readOne(await this.#send('datasets.get', path, { signal }), datasetSchema);
  }

  /**
   * The connection is omitted for the custom type and stripped of its read-only properties (rest-api.md, "Dataset" 2).
   */
  async create(
    path: PathParams<'datasets.create'>,
    dataset: NewDataset | DocumentToWrite,
    options: DatasetConnectionPayloadOptions = {},
    signal?: AbortSignal,
  ): Promise<ApiResponse<Dataset | undefined>> {
    const { createDatasetPayload } = await import('../payloads/modelPayloads.ts');
    const createBody = () => createDatasetPayload(dataset, options);
    return readWrittenItem(
      await this.#send('datasets.create', path, { createBody, signal }),
      datasetSchema,
      'oid',
    );
  }

  /**
   * Replaces the connection, the only property that can be modified. The connection must be complete: all fields that
   * its connector has (rest-api.md, "Dataset" 1).
   */
  async update(
    path: PathParams<'datasets.update'>,
    change: DatasetChange | DocumentToWrite,
    options: DatasetConnectionPayloadOptions = {},
    signal?: AbortSignal,
  ): Promise<ApiResponse<Dataset | undefined>> {
    const { createDatasetChangePayload } = await import('../payloads/modelPayloads.ts');
    const createBody = () => createDatasetChangePayload(change, options);
    return readWrittenItem(
      await this.#send('datasets.update', path, { createBody, signal }),
      datasetSchema,
      'oid',
    );
  }

  /** Deletes the dataset and its tables; references to them remain (rest-api.md, "Datamodel API" 4). */
  async delete(path: PathParams<'datasets.delete'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('datasets.delete', path, { signal }));
  }
}

/** Tables of a dataset, with their columns (rest-api.md, "Table", "Column"). */
export class TablesResource {
  readonly #send: Send;

  readonly #capabilities: ServerCapabilities;

  /** @param capabilities what was detected about the server so far; updated by these requests */
  constructor(send: Send, capabilities: ServerCapabilities) {
    this.#send = send;
    this.#capabilities = capabilities;
  }

  async list(path: PathParams<'tables.list'>, signal?: AbortSignal): Promise<ApiResponse<readonly Table[]>> {
    return readList(await this.#send('tables.list', path, { signal }), tableResponseSchema);
  }

  async get(path: PathParams<'tables.get'>, signal?: AbortSignal): Promise<ApiResponse<Table>> {
    return readOne(await this.#send('tables.get', path, { signal }), tableResponseSchema);
  }

  /**
   * Creates a table. The vendor's contract requires `columns` of custom tables, too, which the vendor's own recorded
   * request does not send: they are sent, empty, only if the server asks for them. Such a refusal has created nothing.
   */
  async create(
    path: PathParams<'tables.create'>,
    table: NewTable | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Table | undefined>> {
    const { createTablePayload } = await import('../payloads/modelPayloads.ts');
    const send = (includeEmptyColumns: boolean) =>
      this.#send('tables.create', path, {
        createBody: () => createTablePayload(table, includeEmptyColumns),
        signal,
      });
    const sendsEmptyColumns = this.#capabilities.customTablesNeedColumns === true;
    try {
      return readWrittenItem(await send(sendsEmptyColumns), tableResponseSchema, 'oid');
    } catch (error) {
      if (
        sendsEmptyColumns ||
        !isMissingColumnsError(error) ||
        String(table['type']).toLowerCase() !== 'custom'
      ) {
        throw error;
      }
      const response = readWrittenItem(await send(true), tableResponseSchema, 'oid');
      this.#capabilities.customTablesNeedColumns = true;
      return response;
    }
  }

  /**
   * Changes the given properties. `columns`, if given, replaces the stored array: send all that are to be kept, each
   * with its oid. References to a renamed or deleted table or column are not updated (rest-api.md, "Datamodel API" 2, 4
   * and 5).
   */
  async update(
    path: PathParams<'tables.update'>,
    change: TableChange | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Table | undefined>> {
    const { createTableChangePayload } = await import('../payloads/modelPayloads.ts');
    const createBody = () => createTableChangePayload(change);
    return readWrittenItem(
      await this.#send('tables.update', path, { createBody, signal }),
      tableResponseSchema,
      'oid',
    );
  }

  async delete(path: PathParams<'tables.delete'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('tables.delete', path, { signal }));
  }
}

const isMissingColumnsError = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.status === 400 || error.status === 422) &&
  /\bcolumns\b/i.test(error.serverMessage ?? '');

/** Relations of a datamodel: at least two columns each (rest-api.md, "Relation"). */
export class RelationsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(
    path: PathParams<'relations.list'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly Relation[]>> {
    return readList(await this.#send('relations.list', path, { signal }), relationSchema);
  }

  async get(path: PathParams<'relations.get'>, signal?: AbortSignal): Promise<ApiResponse<Relation>> {
    return readOne(await this.#send('relations.get', path, { signal }), relationSchema);
  }

  async create(
    path: PathParams<'relations.create'>,
    relation: RelationInput | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Relation | undefined>> {
    const { createRelationPayload } = await import('../payloads/modelPayloads.ts');
    const createBody = () => createRelationPayload(relation);
    return readWrittenItem(
      await this.#send('relations.create', path, { createBody, signal }),
      relationSchema,
      'oid',
    );
  }

  /** Replaces the columns; those not sent are removed from the relation (rest-api.md, "Datamodel API" 3). */
  async update(
    path: PathParams<'relations.update'>,
    relation: RelationInput | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Relation | undefined>> {
    const { createRelationPayload } = await import('../payloads/modelPayloads.ts');
    const createBody = () => createRelationPayload(relation);
    return readWrittenItem(
      await this.#send('relations.update', path, { createBody, signal }),
      relationSchema,
      'oid',
    );
  }

  /** Deletes the relation and unlinks all its tables (rest-api.md, "Datamodel API"). */
  async delete(path: PathParams<'relations.delete'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('relations.delete', path, { signal }));
  }
}

export const datasetLabels: EndpointLabels<'datasets'> = {
  'datasets.list': (t) => t('Loading the datasets'),
  'datasets.get': (t) => t('Loading the dataset'),
  'datasets.create': (t) => t('Creating the dataset'),
  'datasets.update': (t) => t('Changing the dataset'),
  'datasets.delete': (t) => t('Deleting the dataset'),
};

export const tableLabels: EndpointLabels<'tables'> = {
  'tables.list': (t) => t('Loading the tables'),
  'tables.get': (t) => t('Loading the table'),
  'tables.create': (t) => t('Creating the table'),
  'tables.update': (t) => t('Changing the table'),
  'tables.delete': (t) => t('Deleting the table'),
};

export const relationLabels: EndpointLabels<'relations'> = {
  'relations.list': (t) => t('Loading the relations'),
  'relations.get': (t) => t('Loading the relation'),
  'relations.create': (t) => t('Creating the relation'),
  'relations.update': (t) => t('Changing the relation'),
  'relations.delete': (t) => t('Deleting the relation'),
};
