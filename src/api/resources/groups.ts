import { type Group, groupSchema } from '../../contract/session.ts';
import type { Answer } from '../answer.ts';
import { readList } from '../reading.ts';
import type { Send } from '../send.ts';

/** The group look-up (spec, "Group lookup record"). */
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
    );
    return { value: value[0], ...answer };
  }
}
