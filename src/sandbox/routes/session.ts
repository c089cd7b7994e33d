import { type AreaHandlers, okResponse } from '../endpointCall.ts';

/**
 * The session check. A refused token never reaches it: `onError` responds 401 with `isauthenticated` false, so that
 * callers find the boolean of the guide (rest-api.md, "Authentication" 3) in both cases.
 */
export function createSessionHandlers(): AreaHandlers<'session'> {
  return { 'session.check': () => okResponse({ isauthenticated: true }) };
}
