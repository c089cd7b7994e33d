import type { Context as HonoContext, Hono } from 'hono';
import { type Endpoint, type EndpointId, endpoints, tenantHeader } from '../contract/endpoints.ts';
import { anonymous, type Authenticate } from './auth.ts';
import { readJsonBody } from './body.ts';
import { answerResponse, type Call, type Handler, type Handlers } from './call.ts';
import { forbidden } from './problem.ts';
import { createHandlers } from './routes.ts';
import type { Services } from './services.ts';

export interface EndpointDeps extends Services {
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
}

/** Registers every endpoint of the contract, in both path dialects (platform-facts 0). */
export function registerEndpoints(app: Hono, deps: EndpointDeps, authenticate: Authenticate): void {
  const handlers: Handlers = createHandlers(deps);
  // The order of the contract matters: `/datamodels/schema` comes before `/datamodels/{datamodelId}`.
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const endpoint: Endpoint = endpoints[id];
    const respond = responder(id, handlers[id], deps, authenticate);
    for (const path of new Set([endpoint.path, endpoint.schemaPath ?? endpoint.path])) {
      app.on(endpoint.method, path.replace(/\{(\w+)\}/g, ':$1'), respond);
    }
  }
}

function responder(
  id: EndpointId,
  handler: Handler<EndpointId>,
  deps: EndpointDeps,
  authenticate: Authenticate,
) {
  const endpoint: Endpoint = endpoints[id];
  return async (c: HonoContext): Promise<Response> => {
    const caller = endpoint.anonymous === true ? anonymous : authenticate(c.req.header('authorization'));
    if (endpoint.administrator === true && !caller.administrator) {
      throw forbidden('Only administrators may create, change or delete data security rules');
    }
    const body = takesBody(id, endpoint) ? await readJsonBody(c.req.raw, deps.maxBodyBytes) : undefined;
    return answerResponse(await handler({ ...callOf(c), caller, body }));
  };
}

/** Writes carry a body, and so does the one DELETE whose body is a filter (spec, "Custom data API"). */
const takesBody = (id: EndpointId, { method }: Endpoint): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH' || id === 'customData.deleteMatching';

const callOf = (c: HonoContext): Pick<Call<EndpointId>, 'params' | 'tenant' | 'query'> => ({
  // The names are those of the path that the route was registered with.
  params: c.req.param() as Call<EndpointId>['params'],
  tenant: c.req.header(tenantHeader) || undefined,
  query: (name) => c.req.query(name),
});
