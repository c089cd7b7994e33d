import type { KnownResources } from '../catalog/instanceCatalog.ts';
import { CatalogReferencedNames } from '../catalog/referencedNames.ts';
import { Directory, type PeopleParts, type ReferencedParty } from '../catalog/people/directory.ts';
import type { Sessions } from './sessions.ts';

/** The people of an instance, from the loaded lists and from references in documents. */
export const createDirectory = (
  parts: PeopleParts | undefined,
  known: KnownResources | undefined,
): Directory =>
  new Directory({ ...parts, referenced: known === undefined ? [] : getReferencedParties(known) });

/** The known people of a connection; sends no request. */
export const peekDirectory = (
  deps: {
    readonly sessions: Pick<Sessions, 'peek'>;
    readonly directories: { peek(connectionId: string): PeopleParts | undefined };
  },
  connectionId: string,
): Directory =>
  createDirectory(deps.directories.peek(connectionId), deps.sessions.peek(connectionId)?.catalog.known);

function getReferencedParties(known: KnownResources): readonly ReferencedParty[] {
  const { groups, users } = new CatalogReferencedNames(known);
  return [
    ...groups.map((seen) => ({ ...seen, type: 'group' }) as const),
    ...users.map((seen) => ({ ...seen, type: 'user' }) as const),
  ];
}
