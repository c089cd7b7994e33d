import type { Context as HonoContext, Hono } from 'hono';
import { type Endpoint, type EndpointId, endpoints, takesBody, tenantHeader } from '../contract/endpoints.ts';
import { anonymous, type Authenticate, callerOrNobody } from './auth.ts';
import { readJsonBody } from './body.ts';
import { answerResponse, type Call, type Caller, type Handler, type Handlers } from './call.ts';
import { pathsOf } from './paths.ts';
import { forbidden } from './problem.ts';
import type { Profile } from './profiles/profile.ts';
import { createHandlers } from './routes.ts';
import type { Services } from './services.ts';

export interface EndpointDeps extends Services {
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
}

/** Registers every endpoint that the profile has, in each of its path dialects (platform-facts 0). */
export function registerEndpoints(app: Hono, deps: EndpointDeps, authenticate: Authenticate): void {
  const handlers: Handlers = createHandlers(deps);
  // The order of the contract matters: `/datamodels/schema` comes before `/datamodels/{datamodelId}`.
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const respond = responder(id, handlers[id], deps, authenticate);
    for (const path of pathsOf(id, deps.profile.paths)) {
      app.on(endpoints[id].method, path.replace(/\{(\w+)\}/g, ':$1'), respond);
    }
  }
}

type Check = NonNullable<Profile['requests'][EndpointId]>;
type Shape = NonNullable<Profile['answers'][EndpointId]>;

function responder(
  id: EndpointId,
  handler: Handler<EndpointId>,
  deps: EndpointDeps,
  authenticate: Authenticate,
) {
  const endpoint: Endpoint = endpoints[id];
  const callerOf = (header: string | undefined): Caller => {
    if (endpoint.anonymous === true) {
      return anonymous;
    }
    return deps.profile.paths.isAnonymous(id) ? callerOrNobody(authenticate, header) : authenticate(header);
  };
  const check: Check | undefined = deps.profile.requests[id];
  const shape: Shape | undefined = deps.profile.answers[id];
  return async (c: HonoContext): Promise<Response> => {
    const caller = callerOf(c.req.header('authorization'));
    if (endpoint.administrator === true && !caller.administrator) {
      throw forbidden('Only administrators may create, change or delete data security rules');
    }
    const body = takesBody(id) ? await readJsonBody(c.req.raw, deps.maxBodyBytes) : undefined;
    const call = { ...callOf(c), caller, body };
    check?.(call, deps);
    const answer = await handler(call);
    return answerResponse(shape?.(answer, call, deps) ?? answer);
  };
}

const callOf = (c: HonoContext): Pick<Call<EndpointId>, 'params' | 'tenant' | 'query'> => ({
  // The names are those of the path that the route was registered with.
  params: c.req.param() as Call<EndpointId>['params'],
  tenant: c.req.header(tenantHeader) || undefined,
  query: (name) => c.req.query(name),
});
