import { type AreaHandlers, createOkResponse } from '../endpointCall.ts';

/**
 * Creates the handler of the session check. It is called only with a valid token; otherwise the app's `onError` handler
 * responds 401 with `isauthenticated` false (rest-api.md, "Authentication" 3).
 */
export function createSessionHandlers(): AreaHandlers<'session'> {
  return { 'session.check': () => createOkResponse({ isauthenticated: true }) };
}
