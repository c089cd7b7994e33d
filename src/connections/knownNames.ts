import type { Log } from '../base/log.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { CatalogReferencedNames } from '../catalog/referencedNames.ts';
import type { KnownParty } from '../catalog/people/userDirectory.ts';
import type { UserDirectories } from './userDirectories.ts';
import { peekUserDirectory } from './createUserDirectory.ts';
import type { Sessions } from './sessions.ts';

export interface KnownName {
  readonly id: string;
  /** The display name; the ID if the name is unknown. */
  readonly name: string;
  /** Only the name is known: it is not an ID, and a rule cannot contain it. */
  readonly isNameOnly?: true;
}

export interface KnownNames {
  readonly apps: readonly KnownName[];
  readonly groups: readonly KnownName[];
  readonly users: readonly KnownName[];
}

/**
 * The known apps, groups and users of an instance, without duplicates. The platform lists no apps (rest-api.md,
 * "ViewpointVisibility"; platform-facts.md, 4), so they are collected from viewpoints that are already loaded. No
 * request is sent.
 */
export function getKnownNames(
  deps: {
    readonly sessions: Pick<Sessions, 'peek'>;
    readonly userDirectories: Pick<UserDirectories, 'peek'>;
  },
  connectionId: string | undefined,
): KnownNames {
  const resources =
    connectionId === undefined ? undefined : deps.sessions.peek(connectionId)?.catalog.knownResources;
  if (connectionId === undefined || resources === undefined) {
    return { apps: [], groups: [], users: [] };
  }
  const directory = peekUserDirectory(deps, connectionId);
  return {
    apps: new CatalogReferencedNames(resources).apps.map(({ value }) => ({ id: value, name: value })),
    groups: directory.getParties('group').map(toKnownName),
    users: directory.getParties('user').map(toKnownName),
  };
}

const toKnownName = ({ id, name }: KnownParty): KnownName =>
  id === undefined ? { id: name, name, isNameOnly: true } : { id, name };

/** The names that have an ID, for positions that do not allow a name. */
export const filterNamesWithId = (names: readonly KnownName[]): readonly KnownName[] =>
  names.filter(({ isNameOnly }) => isNameOnly !== true);

/**
 * Loads the users and groups of an instance, and the rules of a datamodel or cube set, for {@link getKnownNames};
 * unreadable items do not hide the others.
 * @throws ApiError
 */
export async function cacheKnownNames(
  deps: { readonly sessions: Pick<Sessions, 'get'>; readonly userDirectories: Pick<UserDirectories, 'get'> },
  connectionId: string,
  subject: RuleSubject,
): Promise<void> {
  const { catalog } = await deps.sessions.get(connectionId);
  await Promise.all([catalog.partial.rules(subject), deps.userDirectories.get(connectionId)]);
}

/**
 * Loads the users and groups of an instance for {@link getKnownNames}. Never rejects: if the connection doesn't work,
 * {@link getKnownNames} returns what was loaded before.
 */
export async function cacheUsersAndGroups(
  { userDirectories, log }: { readonly userDirectories: Pick<UserDirectories, 'get'>; readonly log: Log },
  connectionId: string | undefined,
): Promise<void> {
  try {
    await (connectionId === undefined ? undefined : userDirectories.get(connectionId));
  } catch (error) {
    log.debug('connections', 'The users and groups could not be read', { reason: String(error) });
  }
}
