import type { Known } from '../catalog/catalog.ts';
import { SeenOnInstance } from '../catalog/seenOnInstance.ts';
import { Directory, type PeopleParts, type SeenParty } from '../catalog/people/directory.ts';
import type { Sessions } from './sessions.ts';

/** The people of an instance, by what was read of them and by whom documents name. */
export const directoryOf = (parts: PeopleParts | undefined, known: Known | undefined): Directory =>
  new Directory({ ...parts, seen: known === undefined ? [] : seenIn(known) });

/** The people of a connection as far as they are known without a request. */
export const peekDirectory = (
  deps: {
    readonly sessions: Pick<Sessions, 'peek'>;
    readonly directories: { peek(connectionId: string): PeopleParts | undefined };
  },
  connectionId: string,
): Directory =>
  directoryOf(deps.directories.peek(connectionId), deps.sessions.peek(connectionId)?.catalog.known);

function seenIn(known: Known): readonly SeenParty[] {
  const { groups, users } = new SeenOnInstance(known);
  return [
    ...groups.map((seen) => ({ ...seen, type: 'group' }) as const),
    ...users.map((seen) => ({ ...seen, type: 'user' }) as const),
  ];
}
