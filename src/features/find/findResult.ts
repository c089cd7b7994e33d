import { type Findable, listFindables } from '../../catalog/findables.ts';
import { findBestMatches } from '../../catalog/finder.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ResourceTarget } from '../../contributions.ts';
import type { FindDeps } from './deps.ts';

/** A result and the connection that it was found on. */
export interface FindResult extends Findable {
  readonly connection: Connection;
}

/**
 * Searches what is known, best matches first; asks no server.
 * @param additional more candidates, which are found where their name matches
 * @param byServer what a server found for this very text, by more than the name
 */
export function searchKnown(
  deps: FindDeps,
  typed: string,
  limit: number,
  additional: readonly FindResult[] = [],
  byServer: readonly FindResult[] = [],
): readonly FindResult[] {
  // Of equally good matches, those on the current connection come first.
  const known = deps.current.first.flatMap((connection) => {
    const catalog = deps.sessions.peek(connection.id)?.catalog;
    return catalog === undefined
      ? []
      : findBestMatches(listFindables(catalog.known), typed, limit).map((thing) => ({
          ...thing,
          connection,
        }));
  });
  const seen = new Set(known.map(getResultKey));
  const all = [...known, ...additional.filter((found) => !seen.has(getResultKey(found)))];
  // Ranked again over all connections: the best of one may be worse than the second of another.
  const ranked = findBestMatches(all, typed, limit);
  const shown = new Set(ranked.map(getResultKey));
  return [...ranked, ...byServer.filter((found) => !shown.has(getResultKey(found)))].slice(0, limit);
}

export const getResultKey = ({ connection, ref }: FindResult): string =>
  `${connection.id} ${JSON.stringify(ref)}`;

/** Converts a result to the target of commands. */
export const getResultTarget = ({ connection, ref, name, within }: FindResult): ResourceTarget => ({
  connectionId: connection.id,
  resource: ref,
  name,
  within,
});
