import type { Context as HonoContext } from 'hono';
import { type Clock, delay } from '../base/clock.ts';
import { createFaultResponse } from './faultResponses.ts';
import type { Faults } from './faults.ts';
import { isSameOrUnder, sandboxPathPrefix } from './paths.ts';
import type { Profile } from './profiles/profile.ts';

interface FaultDependencies {
  readonly faults: Faults;
  readonly clock: Clock;
  readonly profile: Profile;
}

/** Creates the middleware that applies the active faults to requests; the sandbox's own routes are exempt. */
export function createFaultMiddleware({ faults, clock, profile }: FaultDependencies) {
  return async (c: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const { method, path } = c.req;
    if (isSameOrUnder(sandboxPathPrefix, path)) {
      await next();
      return undefined;
    }
    const bodyBytes = Number(c.req.header('content-length') ?? 0);
    const { fault, delayMs } = faults.selectForRequest({ method, path, bodyBytes });
    if (delayMs > 0) {
      await delay(clock, delayMs);
    }
    // A truncated response needs the body of the route's own response.
    const runsRoute = fault === undefined || fault.kind === 'truncate' || fault.when === 'after';
    if (!runsRoute) {
      return createFaultResponse(fault, path, profile.createErrorBody);
    }
    await next();
    if (fault !== undefined) {
      const response = c.res;
      // Hono would otherwise merge the headers of the previous response into the new one.
      c.res = undefined;
      c.res = createFaultResponse(fault, path, profile.createErrorBody, response);
    }
    return undefined;
  };
}
