import { type AreaHandlers, createOkResponse } from '../endpointCall.ts';

/**
 * Creates the handler of the session check. In the profile `guide`, it is called only with a valid token; otherwise the
 * app's `onError` handler responds 401 with `isauthenticated` false (rest-api.md, "Authentication" 3). In `contract`,
 * it is also called without a token, and the profile replaces the response (platform-facts.md, 6.1, isauth).
 */
export function createSessionHandlers(): AreaHandlers<'session'> {
  return { 'session.check': () => createOkResponse({ isauthenticated: true }) };
}
