import { type GroupRecord, groupRecordSchema, type Group, groupSchema } from '../../contract/people.ts';
import type { Answer } from '../answer.ts';
import { readList } from '../reading.ts';
import type { Send } from '../send.ts';
import { type PeopleQuery, peopleQuery } from './users.ts';

/** The groups of an instance: the look-up of one (spec, "Group lookup record"), and the list of all. */
export class GroupsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The group of that name, with its `_id`; `undefined` when there is none. The first of the array is it (spec). */
  async find(name: string, signal?: AbortSignal): Promise<Answer<Group | undefined>> {
    const query = { fields: '_id', name };
    const { value, ...answer } = readList(
      await this.#send('groups.find', {}, { query, signal }),
      groupSchema,
      { nullIsNone: true },
    );
    return { value: value[0], ...answer };
  }

  /**
   * All groups, with their names (contract v1.0; the spec has the look-up alone, so whoever asks bears a refusal).
   * @throws PartialAnswerError where some have no identifier
   */
  async list(query: PeopleQuery = {}, signal?: AbortSignal): Promise<Answer<readonly GroupRecord[]>> {
    return readList(
      await this.#send('groups.list', {}, { query: peopleQuery(query), signal }),
      groupRecordSchema,
    );
  }
}
