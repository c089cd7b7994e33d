import { type UserRecord, userSchema } from '../../contract/people.ts';
import type { Answer } from '../answer.ts';
import { readList } from '../reading.ts';
import type { Send } from '../send.ts';

/** Query of the lists of users and groups (contract v1.0). */
export interface PeopleQuery {
  /** Only those of these identifiers. */
  readonly ids?: readonly string[];
  /** Fields to answer; `_id` is always among them. */
  readonly fields?: readonly string[];
  /** Fields that are to be answered as whole records in place of identifiers. */
  readonly expand?: readonly string[];
  /** At most this many, from `skip` on; the two go together. */
  readonly limit?: number;
  readonly skip?: number;
}

/** The query as it is sent; a list is one text with commas. */
export const peopleQuery = ({ ids, fields, expand, limit, skip }: PeopleQuery) => ({
  ids: ids?.join(','),
  fields: fields === undefined ? undefined : [...new Set(['_id', ...fields])].join(','),
  expand: expand?.join(','),
  limit,
  skip: limit === undefined ? undefined : (skip ?? 0),
});

/** The users of an instance (contract v1.0; not in the spec, so whoever asks bears a refusal). */
export class UsersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The users, with the identifiers of their groups.
   * @throws PartialAnswerError where some have no identifier
   */
  async list(query: PeopleQuery = {}, signal?: AbortSignal): Promise<Answer<readonly UserRecord[]>> {
    return readList(await this.#send('users.list', {}, { query: peopleQuery(query), signal }), userSchema);
  }
}
