import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Answer, type Call, type HandlersOf, ok } from '../call.ts';
import { pick, textIn } from '../documents.ts';
import { forbidden } from '../problem.ts';
import type { Services } from '../services.ts';
import { wholeNumber } from '../check.ts';

type Query = Call<'users.list'>['query'];

/**
 * The group look-up: an array of group records, empty for an unknown name (spec, "Session check and lookup"). The list
 * of all is the same request without a name (contract v1.0).
 */
export function groupRoutes({ store }: Services): HandlersOf<'groups'> {
  const answer = ({ query }: { readonly query: Query }): Answer =>
    ok(listed(store.people.groups(query('name')), query));
  return { 'groups.find': answer, 'groups.list': answer };
}

/** The users with the groups that they are in (contract v1.0); only administrators may see who is there. */
export function userRoutes({ store }: Services): HandlersOf<'users'> {
  return {
    'users.list'({ query, caller }) {
      if (!caller.administrator) {
        throw forbidden('Only administrators may list users');
      }
      const email = query('email');
      const users = store.people.users().filter((user) => email === undefined || user['email'] === email);
      const groups = new Map(store.people.groups().map((group) => [textIn(group, '_id'), group]));
      const isExpanded = words(query('expand')).includes('groups');
      const withGroups = users.map((user): JsonObject => {
        const ids = store.people.groupIdsOf(textIn(user, '_id'));
        return { ...user, groups: isExpanded ? ids.map((id): JsonValue => groups.get(id) ?? id) : ids };
      });
      return ok(listed(withGroups, query));
    },
  };
}

/** As the query has it: `ids`, `fields`, `skip`, `limit`. */
function listed(records: readonly JsonObject[], query: Query): readonly JsonObject[] {
  const ids = words(query('ids'));
  const fields = words(query('fields'));
  const skip = wholeNumber('skip', query('skip')) ?? 0;
  const limit = wholeNumber('limit', query('limit')) ?? records.length;
  return records
    .filter((record) => ids.length === 0 || ids.includes(textIn(record, '_id')))
    .slice(skip, skip + limit)
    .map((record) => (fields.length === 0 ? record : pick(record, fields)));
}

const words = (list: string | undefined): readonly string[] =>
  (list ?? '').split(',').filter((word) => word !== '');
