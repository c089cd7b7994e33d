import type { PathParams } from '../../contract/endpoints.ts';
import { type Relation, type RelationInput, relationSchema } from '../../contract/datamodel.ts';
import type { Answer } from '../answer.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { relationPayload } from '../payloads/relationPayload.ts';
import { readDone, readList, readOne, readWritten } from '../reading.ts';
import type { Send } from '../send.ts';

/** Relations of a datamodel: at least two columns each (spec, "Relation"). */
export class RelationsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(path: PathParams<'relations.list'>, signal?: AbortSignal): Promise<Answer<readonly Relation[]>> {
    return readList(await this.#send('relations.list', path, { signal }), relationSchema);
  }

  async get(path: PathParams<'relations.get'>, signal?: AbortSignal): Promise<Answer<Relation>> {
    return readOne(await this.#send('relations.get', path, { signal }), relationSchema);
  }

  async create(
    path: PathParams<'relations.create'>,
    relation: RelationInput | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<Relation | undefined>> {
    const body = () => relationPayload(relation);
    return readWritten(await this.#send('relations.create', path, { body, signal }), relationSchema, 'oid');
  }

  /** Replaces the columns; those not sent are removed from the relation (spec, rule 3). */
  async update(
    path: PathParams<'relations.update'>,
    relation: RelationInput | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<Relation | undefined>> {
    const body = () => relationPayload(relation);
    return readWritten(await this.#send('relations.update', path, { body, signal }), relationSchema, 'oid');
  }

  /** Deletes the relation and unlinks all its tables (spec). */
  async delete(path: PathParams<'relations.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('relations.delete', path, { signal }));
  }
}
