import type { KnownResources } from '../catalog/instanceCatalog.ts';
import { CatalogReferencedNames } from '../catalog/referencedNames.ts';
import { Directory, type PeopleSources, type ReferencedParty } from '../catalog/people/directory.ts';
import type { Sessions } from './sessions.ts';

/** The people of an instance, from the loaded lists and from references in documents. */
export const createDirectory = (
  sources: PeopleSources | undefined,
  resources: KnownResources | undefined,
): Directory =>
  new Directory({ ...sources, references: resources === undefined ? [] : getReferencedParties(resources) });

/** The known people of a connection; sends no request. */
export const peekDirectory = (
  deps: {
    readonly sessions: Pick<Sessions, 'peek'>;
    readonly directories: { peek(connectionId: string): PeopleSources | undefined };
  },
  connectionId: string,
): Directory =>
  createDirectory(
    deps.directories.peek(connectionId),
    deps.sessions.peek(connectionId)?.catalog.knownResources,
  );

function getReferencedParties(resources: KnownResources): readonly ReferencedParty[] {
  const { groups, users } = new CatalogReferencedNames(resources);
  return [
    ...groups.map((reference) => ({ ...reference, type: 'group' }) as const),
    ...users.map((reference) => ({ ...reference, type: 'user' }) as const),
  ];
}
