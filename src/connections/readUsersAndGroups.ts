import { HttpError } from '../client/errors.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import type { Log } from '../base/log.ts';
import { type PartialResult, countUnreadable, toPartialResult } from '../contract/partialResult.ts';
import type { DirectoryGroup, DirectoryUser, DirectoryList } from '../catalog/people/userDirectory.ts';
import { groupFields, toDirectoryGroup, userFields, toDirectoryUser } from '../catalog/people/records.ts';

/** Page size for users and groups, and their maximum number. */
const pageSize = 500;
const maxRecords = 100_000;

/** The users and groups that an instance lists. */
export interface UserAndGroupLists {
  /** Absent if the instance does not offer them, or they could not be read. */
  readonly users: DirectoryList<DirectoryUser> | undefined;
  readonly groups: DirectoryList<DirectoryGroup> | undefined;
  /** Why they could not be read; absent if the instance does not offer them. */
  readonly problem: unknown;
}

/**
 * Reads the users and groups of an instance. An instance that refuses its lists (403, 404, 405) does not offer
 * them to this token: they are in the vendor's contract (platform-facts.md, 6.2), but not in the guide. Any other
 * failure is returned as a problem. Never rejects.
 */
export async function readUsersAndGroups(
  { users, groups }: Pick<PlatformClient, 'users' | 'groups'>,
  log: Log,
  signal?: AbortSignal,
): Promise<UserAndGroupLists> {
  const createPageQuery = (skip: number) => ({ limit: pageSize, skip });
  const [userResult, groupResult] = await Promise.all([
    readIfOffered(
      () =>
        readAllPages(
          async (skip) => (await users.list({ fields: userFields, ...createPageQuery(skip) }, signal)).value,
        ),
      log,
    ),
    readIfOffered(
      () =>
        readAllPages(
          async (skip) =>
            (await groups.list({ fields: groupFields, ...createPageQuery(skip) }, signal)).value,
        ),
      log,
    ),
  ]);
  return {
    users: userResult.list && { ...userResult.list, items: userResult.list.items.map(toDirectoryUser) },
    groups: groupResult.list && { ...groupResult.list, items: groupResult.list.items.map(toDirectoryGroup) },
    problem: userResult.problem ?? groupResult.problem,
  };
}

async function readIfOffered<T>(
  readAll: () => Promise<DirectoryList<T>>,
  log: Log,
): Promise<{ readonly list?: DirectoryList<T>; readonly problem?: unknown }> {
  try {
    return { list: await readAll() };
  } catch (error) {
    if (error instanceof HttpError && [403, 404, 405].includes(error.status)) {
      return {};
    }
    log.warn('connections', 'Users or groups could not be read', { reason: String(error) });
    return { problem: error };
  }
}

/**
 * Reads a paged list until a page contains nothing new or more than was requested: a server may return fewer items than
 * requested, all of them whatever was requested, or the first page again and again. Records without an ID are omitted
 * and make the list incomplete; so does an empty list, since the caller is a user of the instance.
 * @throws ApiError
 */
async function readAllPages<T extends { readonly _id: string }>(
  loadPage: (skip: number) => Promise<readonly T[]>,
): Promise<DirectoryList<T>> {
  const byId = new Map<string, T>();
  let isComplete = true;
  for (let skip = 0; skip < maxRecords; ) {
    const result: PartialResult<readonly T[]> = await toPartialResult(loadPage(skip));
    const { value } = result;
    const previousCount = byId.size;
    for (const item of value) {
      byId.set(item._id, item);
    }
    isComplete &&= result.unreadable.length === 0;
    const receivedCount = value.length + countUnreadable(result);
    if (byId.size === previousCount) {
      // A full page of known items: the server ignores `skip`.
      isComplete &&= receivedCount !== pageSize && previousCount > 0;
      return { items: [...byId.values()], isComplete };
    }
    skip += receivedCount;
    if (receivedCount > pageSize) {
      return { items: [...byId.values()], isComplete };
    }
  }
  return { items: [...byId.values()], isComplete: false };
}
