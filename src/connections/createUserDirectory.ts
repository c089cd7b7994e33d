import type { KnownResources } from '../catalog/instanceCatalog.ts';
import { CatalogReferencedNames } from '../catalog/referencedNames.ts';
import {
  UserDirectory,
  type LoadedDirectorySources,
  type ReferencedParty,
} from '../catalog/people/userDirectory.ts';
import type { Sessions } from './sessions.ts';

/** Creates the directory of an instance from the loaded lists and the references in documents. */
export const createUserDirectory = (
  sources: LoadedDirectorySources | undefined,
  resources: KnownResources | undefined,
): UserDirectory =>
  new UserDirectory({
    ...sources,
    references: resources === undefined ? [] : getReferencedParties(resources),
  });

/** Returns the known users and groups of a connection; sends no request. */
export const peekUserDirectory = (
  deps: {
    readonly sessions: Pick<Sessions, 'peek'>;
    readonly userDirectories: { peek(connectionId: string): LoadedDirectorySources | undefined };
  },
  connectionId: string,
): UserDirectory =>
  createUserDirectory(
    deps.userDirectories.peek(connectionId),
    deps.sessions.peek(connectionId)?.catalog.knownResources,
  );

function getReferencedParties(resources: KnownResources): readonly ReferencedParty[] {
  const { groups, users } = new CatalogReferencedNames(resources);
  return [
    ...groups.map((reference) => ({ ...reference, type: 'group' }) as const),
    ...users.map((reference) => ({ ...reference, type: 'user' }) as const),
  ];
}
