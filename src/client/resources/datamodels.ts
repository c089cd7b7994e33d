import type { EndpointLabels } from '../endpointMethods.ts';
import { type Datamodel, type NewDatamodel, datamodelSchema } from '../../contract/datamodel.ts';
import type { PathDialect, PathParams } from '../../contract/endpoints.ts';
import type { ApiResponse } from '../apiResponse.ts';
import { HttpError, SchemaError } from '../errors.ts';
import type { DocumentToWrite } from '../payloads/documentToWrite.ts';
import { readIgnoringBody, readList, readOne, readWrittenItem } from '../reading.ts';
import type { Send } from '../send.ts';
import type { ServerCapabilities } from '../serverCapabilities.ts';

/** Query parameters of the list; the guide documents none, these are used in practice (platform-facts.md, 2.1). */
export interface DatamodelQuery {
  /** Only the datamodel of this title. */
  readonly title?: string;
  /** Root fields to return; `oid` and `title` are always among them. */
  readonly fields?: readonly string[];
  /** A field name; with the prefix `-` the order is descending. */
  readonly sort?: string;
  /** At most this many, from `skip` on; the two are used together. */
  readonly limit?: number;
  readonly skip?: number;
}

/** The fields shown in lists of datamodels and those that indicate a change; `oid` and `title` are included. */
const summaryFields = [
  'type',
  'server',
  'lastUpdated',
  'lastBuildTime',
  'lastSuccessfulBuildTime',
  'lastPublishTime',
];

/** Datamodels (rest-api.md, "Datamodel API"). A datamodel has no editable fields, so there is no update. */
export class DatamodelsResource {
  readonly #send: Send;

  readonly #capabilities: ServerCapabilities;

  /** @param capabilities what was detected about the server so far; updated by these requests */
  constructor(send: Send, capabilities: ServerCapabilities) {
    this.#send = send;
    this.#capabilities = capabilities;
  }

  /**
   * The datamodels. With `title` an instance returns one object, and for an unknown title 404, null or nothing
   * (platform-facts.md, 2.1): here that is always a list of one or none.
   */
  async list(query: DatamodelQuery = {}, signal?: AbortSignal): Promise<ApiResponse<readonly Datamodel[]>> {
    try {
      return readList(
        await this.#send('datamodels.list', {}, { query: toQuery(query), signal }),
        datamodelSchema,
        { treatsNullAsEmpty: query.title !== undefined },
      );
    } catch (error) {
      if (query.title !== undefined && isTitleNotFound(error)) {
        return { value: [], text: '', json: undefined, status: 200 };
      }
      throw error;
    }
  }

  /**
   * The datamodels with the fields that lists show. The `/schema` dialect accepts `fields` (platform-facts.md, 6.3 and
   * 2.1), which saves loading all their tables and columns; a server that returns more is tolerated, and one that
   * refuses `fields`, or omits requested fields, is queried without them from then on.
   */
  async listSummaries(signal?: AbortSignal): Promise<ApiResponse<readonly Datamodel[]>> {
    if (this.#capabilities.supportsListFields === false) {
      return this.list({}, signal);
    }
    let hasSentFields = false;
    try {
      const createQuery = (dialect: PathDialect) => {
        hasSentFields = dialect === 'schema';
        return hasSentFields ? toQuery({ fields: summaryFields }) : {};
      };
      const response = readList(
        await this.#send('datamodels.list', {}, { query: createQuery, signal }),
        datamodelSchema,
      );
      if (!hasSentFields || response.value.length === 0 || response.value.some(hasSummaryFields)) {
        return response;
      }
    } catch (error) {
      const isRefused = error instanceof HttpError && (error.status === 400 || error.status === 422);
      if (!hasSentFields || !(isRefused || error instanceof SchemaError)) {
        throw error;
      }
    }
    const fullResponse = await this.list({}, signal);
    this.#capabilities.supportsListFields = false;
    return fullResponse;
  }

  /** The complete datamodel: its datasets with tables and columns, and its relations. */
  async get(path: PathParams<'datamodels.get'>, signal?: AbortSignal): Promise<ApiResponse<Datamodel>> {
    return readOne(await this.#send('datamodels.get', path, { signal }), datamodelSchema);
  }

  async create(
    datamodel: NewDatamodel | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<Datamodel | undefined>> {
    const { createDatamodelPayload } = await import('../payloads/modelPayloads.ts');
    const createBody = () => createDatamodelPayload(datamodel);
    return readWrittenItem(
      await this.#send('datamodels.create', {}, { createBody, signal }),
      datamodelSchema,
      'oid',
    );
  }

  /** Removes the datamodel entirely; dashboards that use it are not removed (rest-api.md, "Datamodel API"). */
  async delete(path: PathParams<'datamodels.delete'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('datamodels.delete', path, { signal }));
  }
}

/** True if all fields exist that are needed to show a datamodel and to detect that it has changed. */
const hasSummaryFields = ({ type, lastUpdated }: Datamodel): boolean =>
  typeof type === 'string' && typeof lastUpdated === 'string';

function toQuery({ title, fields, sort, limit, skip }: DatamodelQuery) {
  const isPaged = limit !== undefined || skip !== undefined;
  return {
    title,
    fields: fields === undefined ? undefined : [...new Set(['oid', 'title', ...fields])].join(','),
    sort,
    limit: isPaged ? (limit ?? Number.MAX_SAFE_INTEGER) : undefined,
    skip: isPaged ? (skip ?? 0) : undefined,
  };
}

/** No datamodel has that title: a 404 with a problem body (one without may mean an older instance), or no body. */
function isTitleNotFound(error: unknown): boolean {
  if (error instanceof HttpError) {
    return error.code === 'not-found';
  }
  return error instanceof SchemaError && error.problem === 'empty';
}

export const datamodelLabels: EndpointLabels<'datamodels'> = {
  'datamodels.list': (t) => t('Loading the datamodels'),
  'datamodels.get': (t) => t('Loading the datamodel'),
  'datamodels.create': (t) => t('Creating the datamodel'),
  'datamodels.delete': (t) => t('Deleting the datamodel'),
};
