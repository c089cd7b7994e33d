import type { Transport, TransportRequest, TransportResponse } from '../../src/client/transport.ts';
import { type Endpoint, type EndpointId, endpoints } from '../../src/contract/endpoints.ts';
import type { ExchangeSide } from '../support/endpoints/example.ts';
import { getExample } from '../support/endpoints/examples.ts';
import { findShapeBreaches } from './shapes.ts';

/** One way in which a request or response deviates from the vendor's contract. */
export interface ContractBreach {
  readonly endpoint: EndpointId;
  readonly side: ExchangeSide;
  /** The position in the body, or the name of a query parameter after `?`; empty for the whole exchange. */
  readonly path: string;
  readonly message: string;
}

/** Checks all exchanges of one walk against the vendor's contract. */
export class ContractExchanges {
  readonly #breaches = new Map<string, ContractBreach>();
  readonly #successfulEndpoints = new Set<EndpointId>();

  /** The distinct breaches, in the order in which they were found. */
  get breaches(): readonly ContractBreach[] {
    return [...this.#breaches.values()];
  }

  /** The endpoints that responded with a success status. */
  get successfulEndpoints(): ReadonlySet<EndpointId> {
    return this.#successfulEndpoints;
  }

  /** Wraps a transport and checks every exchange that passes through it. */
  wrapTransport(transport: Transport): Transport {
    return {
      send: async (request) => {
        const response = await transport.send(request);
        this.#checkExchange(request, response);
        return response;
      },
      dispose: () => transport.dispose(),
    };
  }

  #checkExchange(request: TransportRequest, response: TransportResponse): void {
    const { pathname, searchParams } = new URL(request.url);
    const [endpoint, ...others] = findEndpoints(request.method, pathname);
    const isSuccess = response.status < 300;
    if (isSuccess) {
      [endpoint, ...others].forEach((endpointId) => this.#successfulEndpoints.add(endpointId));
    }
    const { vendorOperation: operation } = getExample(endpoint);
    if (operation === undefined) {
      this.#add({ endpoint, side: 'path', path: '', message: "no such operation in the vendor's contract" });
      return;
    }
    for (const name of operation.query ?? []) {
      if (!searchParams.has(name)) {
        this.#add({ endpoint, side: 'request', path: `?${name}`, message: 'is missing' });
      }
    }
    if (operation.request !== undefined) {
      const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
      findShapeBreaches(operation.request, body).forEach((breach) =>
        this.#add({ endpoint, side: 'request', ...breach }),
      );
    }
    if (isSuccess && !operation.statuses.includes(response.status)) {
      const message = `status ${response.status} in place of ${operation.statuses.join(' or ')}`;
      this.#add({ endpoint, side: 'response', path: '', message });
    }
    if (isSuccess && response.status !== 204 && operation.response !== undefined) {
      const body: unknown = JSON.parse(response.text);
      findShapeBreaches(operation.response, body).forEach((breach) =>
        this.#add({ endpoint, side: 'response', ...breach }),
      );
    }
  }

  #add(breach: ContractBreach): void {
    this.#breaches.set(JSON.stringify(breach), breach);
  }
}

/**
 * Finds the endpoints behind a path in either dialect. Prefers those with the fewest parameters in the path, because
 * `/datamodels/schema` isn't a datamodel. Endpoints that differ only by their query share a path.
 */
function findEndpoints(method: string, path: string): readonly [EndpointId, ...EndpointId[]] {
  const countParameters = (template: string): number => template.split('{').length;
  const matches = (Object.entries(endpoints) as [EndpointId, Endpoint][])
    .flatMap(([id, { method: endpointMethod, path: plainPath, schemaPath = plainPath }]) =>
      endpointMethod === method ? [plainPath, schemaPath].map((template) => ({ id, template })) : [],
    )
    .filter(({ template }) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .sort((a, b) => countParameters(a.template) - countParameters(b.template));
  const ids = matches.filter(({ template }) => template === matches[0]?.template).map(({ id }) => id);
  const [first, ...others] = new Set(ids);
  if (first === undefined) {
    throw new Error(`${method} ${path} is no endpoint of the product`);
  }
  return [first, ...others];
}
