import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type EndpointId, endpoints } from '../../contract/endpoints.ts';

/** The client decides how to add live rules in bulk: to callers, the write is `liveRules.create`. */
const clientOnlyEndpoint = 'liveRules.createMany';

/** Endpoints that change something on the platform, except builds, which change no document. */
export type WriteEndpointId = {
  [Id in EndpointId]: (typeof endpoints)[Id]['method'] extends 'GET' ? never : Id;
}[Exclude<EndpointId, `builds.${string}` | typeof clientOnlyEndpoint>];

/** All write endpoints, in the order of the contract. */
export const writeEndpoints = (Object.keys(endpoints) as EndpointId[]).filter(
  (id): id is WriteEndpointId =>
    endpoints[id].method !== 'GET' && !id.startsWith('builds.') && id !== clientOnlyEndpoint,
);

/** Keys and indices that lead to a value; a text applied to an array selects the item with that name. */
export type ValuePath = readonly (string | number)[];

/** A value that is known only from the response to an earlier write of the operation, such as the ID of a new item. */
export interface OutputRef {
  /** Where it is inserted: `['params', 'ruleId']`, `['body', 'columns', 0, 'table']`. */
  readonly into: readonly ['params' | 'body', ...ValuePath];
  /** Index of the write that creates it. */
  readonly write: number;
  /** Where it is in the response of that write: `['oid']`, `[0, '_id']`, `['columns', 'Total', 'oid']`. */
  readonly from: ValuePath;
}

/** One request that changes something on the platform, exactly as it will be sent. */
export interface Write {
  readonly endpoint: WriteEndpointId;
  /** The path parameters, plus those of the column if the endpoint expects them in the query. */
  readonly params: Readonly<Record<string, string>>;
  /** The payload, without loss; for `customData.deleteMatching` its filter. Absent if the endpoint has none. */
  readonly body?: JsonValue;
  /** The document that it changes or deletes; for a new one, its container (absent for a new datamodel). */
  readonly target?: ResourceRef;
  /** Values that are filled in from the responses of earlier writes. */
  readonly made?: readonly OutputRef[];
  /** A dataset's `parameters` are restored although they are one encrypted string (decisions.md, "Documents"). */
  readonly sendEncryptedParameters?: true;
  /**
   * `replaced`: the old live rule is deleted because the new one has replaced it; the user loses nothing. `guard`
   * occurs only in histories of earlier versions, where temporary deny rules were writes.
   */
  readonly step?: 'guard' | 'replaced';
  /**
   * Set if the write stands for any number of requests: added rules are split into several if they are too many for
   * one, deleted rules are sent one by one.
   */
  readonly batch?: RuleBatch;
}

/** The rules that a write of many deletes; empty for one that adds rules. */
export interface RuleBatch {
  /** IDs of rules that exist before the operation. */
  readonly ids?: readonly string[];
  /** The maximum body of one request, in bytes of UTF-8, if it isn't the default. */
  readonly maxBytes?: number;
}

/** The user's action; the shell provides its label, the history keeps it. */
export const operationCauses = [
  'save',
  'create',
  'duplicate',
  'delete',
  'rename',
  'hide',
  'unhide',
  'build-behaviour',
  'publish',
  'unpublish',
  'share',
  'quick-fix',
  'bulk',
  'undo',
  'restore',
] as const;
export type OperationCause = (typeof operationCauses)[number];

/** One action of a user, which may need several requests, sent in this order. */
export interface Operation {
  readonly connectionId: string;
  readonly cause: OperationCause;
  /** The subject as shown to people: its name and its containers, outermost first, without the connection. */
  readonly subject: { readonly name: string; readonly within: readonly string[] };
  readonly writes: readonly Write[];
}
