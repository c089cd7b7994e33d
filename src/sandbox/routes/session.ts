import { type HandlersOf, ok } from '../call.ts';

/**
 * The session check. A token that is refused never comes here: `onError` answers 401 with `isauthenticated` false,
 * so that callers find the boolean of the spec ("Authentication" 3) in both cases.
 */
export function sessionRoutes(): HandlersOf<'session'> {
  return { 'session.check': () => ok({ isauthenticated: true }) };
}
