import { type Context as HonoContext, Hono } from 'hono';
import { stringify } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { createAuthenticator } from './auth.ts';
import { jsonHeaders } from './endpointCall.ts';
import { type EndpointDependencies, registerEndpoints } from './endpointRoutes.ts';
import { createFaultMiddleware } from './faultMiddleware.ts';
import { requireLocalRequest } from './localGuard.ts';
import { type SandboxRouteDependencies, registerSandboxRoutes } from './sandboxRoutes.ts';
import { getAllowedMethods } from './paths.ts';
import { HttpProblem } from './problem.ts';
import type { Profile } from './profiles/profile.ts';
import { describeStorageFailure } from './storageFailure.ts';

export interface AppDependencies extends EndpointDependencies, SandboxRouteDependencies {
  readonly log: Log;
}

/**
 * Creates the sandbox as an app that maps a Request to a Response: the endpoints of the profile, and the sandbox's own
 * routes under `/sandbox`. Every error becomes a response.
 */
export function createApp(deps: AppDependencies): Hono {
  const app = new Hono();
  const { profile } = deps;
  const authenticate = createAuthenticator(deps.tokens);
  app.use(async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    requireLocalRequest(
      { host, origin: c.req.header('origin'), fetchSite: c.req.header('sec-fetch-site') },
      deps.getPort(),
    );
    await next();
  });
  app.use(createFaultMiddleware(deps));
  registerSandboxRoutes(app, deps, authenticate);
  registerEndpoints(app, deps, authenticate);
  const createErrorResponse = (problem: HttpProblem, { req }: HonoContext): Response =>
    new Response(stringify(profile.createErrorBody(problem, req.path)), {
      status: problem.status,
      headers: { ...jsonHeaders, ...problem.headers },
    });
  app.notFound((c) => createErrorResponse(createUnmatchedPathProblem(c, profile), c));
  app.onError((error, c) => {
    if (error instanceof HttpProblem) {
      return createErrorResponse(error, c);
    }
    const { method, path } = c.req;
    deps.log.error('sandbox', 'A request ended with an internal error', {
      method,
      path,
      message: error.message,
    });
    const detail = describeStorageFailure(error) ?? 'The sandbox has failed';
    return createErrorResponse(new HttpProblem(500, 'InternalServerError', 1000, detail), c);
  });
  return app;
}

function createUnmatchedPathProblem(c: HonoContext, { paths }: Profile): HttpProblem {
  const { method, path } = c.req;
  const allowedMethods = paths.checksMethods ? getAllowedMethods(path, paths) : [];
  return allowedMethods.length === 0
    ? new HttpProblem(404, 'NotFound', 1004, `Unknown path ${path}`)
    : new HttpProblem(405, 'MethodNotAllowed', 1005, `${method} isn't supported for ${path}`, {
        allow: allowedMethods.join(', '),
      });
}
