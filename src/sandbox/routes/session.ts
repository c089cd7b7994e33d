import { pick } from '../documents.ts';
import { type HandlersOf, ok } from '../call.ts';
import type { Services } from '../services.ts';

/**
 * The session check. A token that is refused never comes here: `onError` answers 401 with `isauthenticated` false,
 * so that callers find the boolean of the spec ("Authentication" 3) in both cases.
 */
export function sessionRoutes(): HandlersOf<'session'> {
  return { 'session.check': () => ok({ isauthenticated: true }) };
}

/** The group look-up: an array of group records, empty for an unknown name (spec, "Session check and lookup"). */
export function groupRoutes({ store }: Services): HandlersOf<'groups'> {
  return {
    'groups.find'({ query }) {
      const fields = query('fields');
      const groups = store.people.groups(query('name'));
      return ok(fields ? groups.map((group) => pick(group, fields.split(','))) : groups);
    },
  };
}
