import { type Datamodel, type NewDatamodel, datamodelSchema } from '../../contract/datamodel.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Answer } from '../answer.ts';
import { HttpError, SchemaError } from '../errors.ts';
import { newDatamodelPayload } from '../payloads/datamodelPayload.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { readDone, readList, readOne, readWritten } from '../reading.ts';
import type { Send } from '../send.ts';

/** Query of the list; the spec shows none, these are met in the wild (platform-facts 2.1). */
export interface DatamodelQuery {
  /** Only the datamodel of this title. */
  readonly title?: string;
  /** Root fields to answer; `oid` and `title` are always among them. */
  readonly fields?: readonly string[];
  /** A field name; with the prefix `-` the order is descending. */
  readonly sort?: string;
  /** At most this many, from `skip` on; the two go together. */
  readonly limit?: number;
  readonly skip?: number;
}

/** Datamodels (spec, "Datamodel API"). A datamodel has no editable fields, so there is no update. */
export class DatamodelsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The datamodels. With `title` an instance answers one object, and for an unknown title 404, null or nothing
   * (platform-facts 2.1): here that is always a list of one or none.
   */
  async list(query: DatamodelQuery = {}, signal?: AbortSignal): Promise<Answer<readonly Datamodel[]>> {
    try {
      return readList(
        await this.#send('datamodels.list', {}, { query: queryOf(query), signal }),
        datamodelSchema,
      );
    } catch (error) {
      if (query.title !== undefined && isNone(error)) {
        return { value: [], text: '', json: undefined, status: 200 };
      }
      throw error;
    }
  }

  /** The whole datamodel: its datasets with tables and columns, and its relations. */
  async get(path: PathParams<'datamodels.get'>, signal?: AbortSignal): Promise<Answer<Datamodel>> {
    return readOne(await this.#send('datamodels.get', path, { signal }), datamodelSchema);
  }

  async create(
    datamodel: NewDatamodel | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<Datamodel | undefined>> {
    const body = () => newDatamodelPayload(datamodel);
    return readWritten(await this.#send('datamodels.create', {}, { body, signal }), datamodelSchema, 'oid');
  }

  /** Removes the datamodel entirely; dashboards that use it are not removed (spec). */
  async delete(path: PathParams<'datamodels.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('datamodels.delete', path, { signal }));
  }
}

function queryOf({ title, fields, sort, limit, skip }: DatamodelQuery) {
  const paged = limit !== undefined || skip !== undefined;
  return {
    title,
    fields: fields === undefined ? undefined : [...new Set(['oid', 'title', ...fields])].join(','),
    sort,
    limit: paged ? (limit ?? Number.MAX_SAFE_INTEGER) : undefined,
    skip: paged ? (skip ?? 0) : undefined,
  };
}

/** "There is none of that title": a 404 with a problem body (one without may mean an older instance), or no body. */
function isNone(error: unknown): boolean {
  if (error instanceof HttpError) {
    return error.code === 'not-found';
  }
  return error instanceof SchemaError && error.problem === 'empty';
}
