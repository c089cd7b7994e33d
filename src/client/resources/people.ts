import type { EndpointLabels } from '../endpointMethods.ts';
import {
  type SessionCheck,
  sessionCheckSchema,
  type UserRecord,
  userSchema,
  type GroupRecord,
  groupRecordSchema,
  type GroupLookupRecord,
  groupLookupSchema,
} from '../../contract/people.ts';
import type { ApiResponse } from '../apiResponse.ts';
import { readOne, readList } from '../reading.ts';
import type { Send } from '../send.ts';

/** The session check (rest-api.md, "Session check and lookup"). */
export class SessionResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Checks the token: `isauthenticated`, however the server spells it (rest-api.md, "Authentication" 3;
   * platform-facts.md, 6.1). For a signed-out token the response is `false` with a success status.
   * @throws SchemaError if the field is missing or not a boolean
   */
  async check(signal?: AbortSignal): Promise<ApiResponse<SessionCheck>> {
    return readOne(await this.#send('session.check', {}, { signal }), sessionCheckSchema);
  }
}

/** Query of the lists of users and groups (platform-facts.md, 6.2). */
export interface PeopleQuery {
  /** Only those with these IDs. */
  readonly ids?: readonly string[];
  /** Fields to return; `_id` is always among them. */
  readonly fields?: readonly string[];
  /** Fields to return as whole records in place of IDs. */
  readonly expand?: readonly string[];
  /** At most this many, from `skip` on; the two are used together. */
  readonly limit?: number;
  readonly skip?: number;
}

/** The query as sent; a list is one text with commas. */
export const toPeopleQuery = ({ ids, fields, expand, limit, skip }: PeopleQuery) => ({
  ids: ids?.join(','),
  fields: fields === undefined ? undefined : [...new Set(['_id', ...fields])].join(','),
  expand: expand?.join(','),
  limit,
  skip: limit === undefined ? undefined : (skip ?? 0),
});

/** The users of an instance (platform-facts.md, 6.2; not in the guide, so callers must handle a refusal). */
export class UsersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The users, with the IDs of their groups.
   * @throws PartialResponseError if some have no ID
   */
  async list(query: PeopleQuery = {}, signal?: AbortSignal): Promise<ApiResponse<readonly UserRecord[]>> {
    return readList(await this.#send('users.list', {}, { query: toPeopleQuery(query), signal }), userSchema);
  }
}

/** The groups of an instance: the look-up of one (rest-api.md, "Group lookup record"), and the list of all. */
export class GroupsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The group of that name, with its `_id`; `undefined` if it does not exist. It is the first item of the array
   * (rest-api.md, "Group lookup record").
   */
  async find(name: string, signal?: AbortSignal): Promise<ApiResponse<GroupLookupRecord | undefined>> {
    const query = { fields: '_id', name };
    const { value, ...response } = readList(
      await this.#send('groups.find', {}, { query, signal }),
      groupLookupSchema,
      { treatsNullAsEmpty: true },
    );
    return { value: value[0], ...response };
  }

  /**
   * All groups, with their names (platform-facts.md, 6.2; the guide has the look-up alone, so callers must handle a
   * refusal).
   * @throws PartialResponseError if some have no ID
   */
  async list(query: PeopleQuery = {}, signal?: AbortSignal): Promise<ApiResponse<readonly GroupRecord[]>> {
    return readList(
      await this.#send('groups.list', {}, { query: toPeopleQuery(query), signal }),
      groupRecordSchema,
    );
  }
}

export const sessionLabels: EndpointLabels<'session'> = {
  'session.check': (t) => t('Checking the token'),
};

export const groupLabels: EndpointLabels<'groups'> = {
  'groups.find': (t) => t('Looking up the group'),
  'groups.list': (t) => t('Loading the groups'),
};

export const userLabels: EndpointLabels<'users'> = {
  'users.list': (t) => t('Loading the users'),
};
