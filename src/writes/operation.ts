import type { JsonValue } from '../base/json.ts';
import type { ResourceRef } from '../catalog/resourceRef.ts';
import { type EndpointId, endpoints } from '../contract/endpoints.ts';

/** Endpoints that change something on the platform, besides builds, which change no document. */
export type WriteEndpointId = {
  [Id in EndpointId]: (typeof endpoints)[Id]['method'] extends 'GET' ? never : Id;
}[Exclude<EndpointId, `builds.${string}`>];

/** All of them, in the order of the contract. */
export const writeEndpoints = (Object.keys(endpoints) as EndpointId[]).filter(
  (id): id is WriteEndpointId => endpoints[id].method !== 'GET' && !id.startsWith('builds.'),
);

/** One request that changes something on the platform, exactly as it will be sent. */
export interface Write {
  readonly endpoint: WriteEndpointId;
  /** The names in the path and, for custom data, its filter; as the client's method of the endpoint takes them. */
  readonly params: Readonly<Record<string, string>>;
  /** The payload, without loss; absent where the endpoint has none. */
  readonly body?: JsonValue;
  /** What it changes or deletes; for something new, what it is put into (nothing for a new datamodel). */
  readonly target?: ResourceRef;
}

/** What a person did; the shell words it, the history keeps it. */
export type OperationCause =
  | 'save'
  | 'create'
  | 'duplicate'
  | 'delete'
  | 'rename'
  | 'hide'
  | 'unhide'
  | 'build-behaviour'
  | 'publish'
  | 'unpublish'
  | 'share'
  | 'quick-fix'
  | 'bulk'
  | 'undo'
  | 'restore';

/** One thing that a person does, which may take several requests, sent in this order. */
export interface Operation {
  readonly connectionId: string;
  readonly cause: OperationCause;
  /** What it is done to, for people: its name and what it is in, from the outside in. */
  readonly subject: { readonly name: string; readonly within: readonly string[] };
  readonly writes: readonly Write[];
}
