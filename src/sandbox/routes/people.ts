import type { JsonObject, JsonValue } from '../../base/json.ts';
import {
  type EndpointResponse,
  type EndpointCall,
  type AreaHandlers,
  createOkResponse,
} from '../endpointCall.ts';
import { pickDocumentMembers, getTextMember } from '../documents.ts';
import { createForbiddenProblem } from '../problem.ts';
import type { RouteServices } from '../routeServices.ts';
import { parseWholeNumberParameter } from '../validation.ts';

type PeopleQuery = EndpointCall<'users.list'>['query'];

/**
 * Creates the handlers of groups. The lookup by name returns an array, which is empty for an unknown name
 * (rest-api.md, "Session check and lookup"); without a name it lists all groups (platform-facts.md, 6.2).
 */
export function createGroupHandlers({ store }: RouteServices): AreaHandlers<'groups'> {
  const findGroups = ({ query }: { readonly query: PeopleQuery }): EndpointResponse =>
    createOkResponse(listRecords(store.people.getGroups(query('name')), query));
  return { 'groups.find': findGroups, 'groups.list': findGroups };
}

/** Creates the handler of users (platform-facts.md, 6.2). In the sandbox, only administrators can list them. */
export function createUserHandlers({ store }: RouteServices): AreaHandlers<'users'> {
  return {
    'users.list'({ query, caller }) {
      if (!caller.isAdministrator) {
        throw createForbiddenProblem('Only administrators can list users');
      }
      const email = query('email');
      const users = store.people.getUsers().filter((user) => email === undefined || user['email'] === email);
      const groups = new Map(store.people.getGroups().map((group) => [getTextMember(group, '_id'), group]));
      const includesGroups = splitList(query('expand')).includes('groups');
      const usersWithGroups = users.map((user): JsonObject => {
        const ids = store.people.getGroupIds(getTextMember(user, '_id'));
        return { ...user, groups: includesGroups ? ids.map((id): JsonValue => groups.get(id) ?? id) : ids };
      });
      return createOkResponse(listRecords(usersWithGroups, query));
    },
  };
}

/** Applies the query parameters `ids`, `fields`, `skip` and `limit`. */
function listRecords(records: readonly JsonObject[], query: PeopleQuery): readonly JsonObject[] {
  const ids = splitList(query('ids'));
  const fields = splitList(query('fields'));
  const skip = parseWholeNumberParameter('skip', query('skip')) ?? 0;
  const limit = parseWholeNumberParameter('limit', query('limit')) ?? records.length;
  return records
    .filter((record) => ids.length === 0 || ids.includes(getTextMember(record, '_id')))
    .slice(skip, skip + limit)
    .map((record) => (fields.length === 0 ? record : pickDocumentMembers(record, fields)));
}

const splitList = (list: string | undefined): readonly string[] =>
  (list ?? '').split(',').filter((entry) => entry !== '');
