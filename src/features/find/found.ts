import { type Findable, findables } from '../../catalog/findables.ts';
import { find } from '../../catalog/finder.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ResourceTarget } from '../../contributions.ts';
import type { FindDeps } from './deps.ts';

/** A find, and the connection that it was found on. */
export interface Found extends Findable {
  readonly connection: Connection;
}

/**
 * What is found in what is known, best first; asks no server.
 * @param further more that is found where its name fits
 * @param byServer what a server found for this very text, by more than the name
 */
export function findKnown(
  deps: FindDeps,
  typed: string,
  limit: number,
  further: readonly Found[] = [],
  byServer: readonly Found[] = [],
): readonly Found[] {
  // Of equally good finds, those on the connection that is worked on come first.
  const known = deps.current.first.flatMap((connection) => {
    const catalog = deps.sessions.peek(connection.id)?.catalog;
    return catalog === undefined
      ? []
      : find(findables(catalog.known), typed, limit).map((thing) => ({ ...thing, connection }));
  });
  const seen = new Set(known.map(keyOf));
  const all = [...known, ...further.filter((found) => !seen.has(keyOf(found)))];
  // Once more over all connections: the best of one may be worse than the second of another.
  const ranked = find(all, typed, limit);
  const shown = new Set(ranked.map(keyOf));
  return [...ranked, ...byServer.filter((found) => !shown.has(keyOf(found)))].slice(0, limit);
}

export const keyOf = ({ connection, ref }: Found): string => `${connection.id} ${JSON.stringify(ref)}`;

/** The find as commands take it. */
export const targetOf = ({ connection, ref, name, within }: Found): ResourceTarget => ({
  connectionId: connection.id,
  resource: ref,
  name,
  within,
});
