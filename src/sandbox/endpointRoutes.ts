import type { Context as HonoContext, Hono } from 'hono';
import { type Endpoint, type EndpointId, endpoints, takesBody, tenantHeader } from '../contract/endpoints.ts';
import { anonymousCaller, type Authenticate, getCallerOrAnonymous } from './auth.ts';
import { readJsonBody } from './body.ts';
import {
  toHttpResponse,
  type EndpointCall,
  type Caller,
  type EndpointHandler,
  type EndpointHandlers,
} from './endpointCall.ts';
import { getPathTemplates } from './paths.ts';
import { createForbiddenProblem } from './problem.ts';
import type { Profile } from './profiles/profile.ts';
import { createEndpointHandlers } from './endpointHandlers.ts';
import type { RouteServices } from './routeServices.ts';

export interface EndpointDependencies extends RouteServices {
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
}

/** Registers every endpoint of the profile, in each of its path dialects (platform-facts.md, 0). */
export function registerEndpoints(app: Hono, deps: EndpointDependencies, authenticate: Authenticate): void {
  const handlers: EndpointHandlers = createEndpointHandlers(deps);
  // Routes match in the order of the contract: `/datamodels/schema` must come before `/datamodels/{datamodelId}`.
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const respond = createResponder(id, handlers[id], deps, authenticate);
    for (const path of getPathTemplates(id, deps.profile.paths)) {
      app.on(endpoints[id].method, path.replace(/\{(\w+)\}/g, ':$1'), respond);
    }
  }
}

type RequestCheck = NonNullable<Profile['requestChecks'][EndpointId]>;
type ResponseTransform = NonNullable<Profile['responseTransforms'][EndpointId]>;

function createResponder(
  id: EndpointId,
  handler: EndpointHandler<EndpointId>,
  deps: EndpointDependencies,
  authenticate: Authenticate,
) {
  const endpoint: Endpoint = endpoints[id];
  const getCaller = (header: string | undefined): Caller => {
    if (endpoint.allowsAnonymous === true) {
      return anonymousCaller;
    }
    return deps.profile.paths.allowsAnonymous(id)
      ? getCallerOrAnonymous(authenticate, header)
      : authenticate(header);
  };
  const checkRequest: RequestCheck | undefined = deps.profile.requestChecks[id];
  const transformResponse: ResponseTransform | undefined = deps.profile.responseTransforms[id];
  return async (c: HonoContext): Promise<Response> => {
    const caller = getCaller(c.req.header('authorization'));
    if (endpoint.requiresAdministrator === true && !caller.isAdministrator) {
      throw createForbiddenProblem('Only administrators can create, change, or delete data security rules');
    }
    const body = takesBody(id) ? await readJsonBody(c.req.raw, deps.maxBodyBytes) : undefined;
    const call = { ...readCall(c), caller, body };
    checkRequest?.(call, deps);
    const response = await handler(call);
    return toHttpResponse(transformResponse?.(response, call, deps) ?? response);
  };
}

const readCall = (c: HonoContext): Pick<EndpointCall<EndpointId>, 'params' | 'tenant' | 'query'> => ({
  // The path template of the route declares exactly the parameters of the endpoint.
  params: c.req.param() as EndpointCall<EndpointId>['params'],
  tenant: c.req.header(tenantHeader) || undefined,
  query: (name) => c.req.query(name),
});
