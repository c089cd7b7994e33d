import { type Context as HonoContext, Hono } from 'hono';
import { stringify } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { createAuthenticator } from './auth.ts';
import { jsonHeaders } from './call.ts';
import { type EndpointDeps, registerEndpoints } from './endpointRoutes.ts';
import { faultMiddleware } from './faultMiddleware.ts';
import { requireLocal } from './guard.ts';
import { type OwnDeps, registerOwnRoutes } from './ownRoutes.ts';
import { allowedMethods } from './paths.ts';
import { HttpProblem } from './problem.ts';
import type { Profile } from './profiles/profile.ts';
import { storageFailure } from './storageFailure.ts';

export interface AppDeps extends EndpointDeps, OwnDeps {
  readonly log: Log;
}

/**
 * The sandbox as a pure Request → Response app: every endpoint as its profile has it, and under `/sandbox` the switches
 * of its own. It answers every request, whatever it carries.
 */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono();
  const { profile } = deps;
  const authenticate = createAuthenticator(deps.tokens);
  app.use(async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    requireLocal(
      { host, origin: c.req.header('origin'), fetchSite: c.req.header('sec-fetch-site') },
      deps.port(),
    );
    await next();
  });
  app.use(faultMiddleware(deps));
  registerOwnRoutes(app, deps, authenticate);
  registerEndpoints(app, deps, authenticate);
  const errorResponse = (problem: HttpProblem, { req }: HonoContext): Response =>
    new Response(stringify(profile.errorBody(problem, req.path)), {
      status: problem.status,
      headers: { ...jsonHeaders, ...problem.headers },
    });
  app.notFound((c) => errorResponse(unknownPath(c, profile), c));
  app.onError((error, c) => {
    if (error instanceof HttpProblem) {
      return errorResponse(error, c);
    }
    const { method, path } = c.req;
    deps.log.error('sandbox', 'A request ended with an internal error', {
      method,
      path,
      message: error.message,
    });
    const words = storageFailure(error) ?? 'The sandbox has failed';
    return errorResponse(new HttpProblem(500, 'InternalServerError', 1000, words), c);
  });
  return app;
}

function unknownPath(c: HonoContext, { paths }: Profile): HttpProblem {
  const { method, path } = c.req;
  const allowed = paths.tellsMethods ? allowedMethods(path, paths) : [];
  return allowed.length === 0
    ? new HttpProblem(404, 'NotFound', 1004, `The path ${path} is not known`)
    : new HttpProblem(405, 'MethodNotAllowed', 1005, `${method} is not for ${path}`, {
        allow: allowed.join(', '),
      });
}
