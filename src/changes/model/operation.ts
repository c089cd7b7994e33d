import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type EndpointId, endpoints } from '../../contract/endpoints.ts';

/** How the client adds live rules in one go is its own business: a write is `liveRules.create`. */
const clientOnlyEndpoint = 'liveRules.createMany';

/** Endpoints that change something on the platform, besides builds, which change no document. */
export type WriteEndpointId = {
  [Id in EndpointId]: (typeof endpoints)[Id]['method'] extends 'GET' ? never : Id;
}[Exclude<EndpointId, `builds.${string}` | typeof clientOnlyEndpoint>];

/** All of them, in the order of the contract. */
export const writeEndpoints = (Object.keys(endpoints) as EndpointId[]).filter(
  (id): id is WriteEndpointId =>
    endpoints[id].method !== 'GET' && !id.startsWith('builds.') && id !== clientOnlyEndpoint,
);

/** Keys and indices that lead to a value; a text on an array leads to the item of that name. */
export type ValuePath = readonly (string | number)[];

/** A value that is known only once an earlier write of the operation was answered, such as the id of what it made. */
export interface OutputRef {
  /** Where it goes: `['params', 'ruleId']`, `['body', 'columns', 0, 'table']`. */
  readonly into: readonly ['params' | 'body', ...ValuePath];
  /** Index of the write that makes it. */
  readonly write: number;
  /** Where it is in the answer of that write: `['oid']`, `[0, '_id']`, `['columns', 'Total', 'oid']`. */
  readonly from: ValuePath;
}

/** One request that changes something on the platform, exactly as it will be sent. */
export interface Write {
  readonly endpoint: WriteEndpointId;
  /** The names in the path, and those of the column where the endpoint takes them in the query. */
  readonly params: Readonly<Record<string, string>>;
  /** The payload, without loss; for `customData.deleteMatching` its filter. Absent where the endpoint has none. */
  readonly body?: JsonValue;
  /** What it changes or deletes; for something new, what it is put into (nothing for a new datamodel). */
  readonly target?: ResourceRef;
  /** What is filled in from the answers of earlier writes. */
  readonly made?: readonly OutputRef[];
  /** A dataset's `parameters` go back although they are one encrypted string (design.md, section 8). */
  readonly sendEncryptedParameters?: true;
  /**
   * `replaced`: the old live rule goes because the new one has taken its place; such a deletion deletes nothing that a
   * person has. `guard` occurs in histories of earlier versions alone, where temporary deny rules were writes.
   */
  readonly step?: 'guard' | 'replaced';
  /**
   * Set where the write stands for as many requests as it takes: rules that are added are split where they are too
   * many at once, rules that are deleted go one by one.
   */
  readonly batch?: RuleBatch;
}

/** What a write of many rules deletes; empty for one that adds rules. */
export interface RuleBatch {
  /** Identifiers of rules that are there before the operation. */
  readonly ids?: readonly string[];
  /** The longest body of one request, in bytes of UTF-8, where it is not the usual one. */
  readonly maxBytes?: number;
}

/** What a person did; the shell words it, the history keeps it. */
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

/** One thing that a person does, which may take several requests, sent in this order. */
export interface Operation {
  readonly connectionId: string;
  readonly cause: OperationCause;
  /** What it is done to, for people: its name and what it is in, from the outside in, the connection left out. */
  readonly subject: { readonly name: string; readonly within: readonly string[] };
  readonly writes: readonly Write[];
}
