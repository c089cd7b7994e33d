import { type Endpoint, type EndpointId, type Method, endpoints } from '../contract/endpoints.ts';

/** Which request an error or a log line is about. Never holds query values: they may be data. */
export interface Operation {
  readonly endpoint: EndpointId;
  readonly method: Method;
  /** The path without query; a template (`{tableId}`) as long as its names could not be filled in. */
  readonly path: string;
}

export function operationOf(endpoint: EndpointId, path: string): Operation {
  return { endpoint, method: endpoints[endpoint].method, path };
}

/** One line for logs: `PATCH /api/v2/… (tables.update)`. */
export const operationLine = ({ method, path, endpoint }: Operation): string =>
  `${method} ${path} (${endpoint})`;

export const endpointOf = (id: EndpointId): Endpoint => endpoints[id];

/** True for every request that may change something on the server. */
export const isWrite = (operation: Pick<Operation, 'method'>): boolean => operation.method !== 'GET';
