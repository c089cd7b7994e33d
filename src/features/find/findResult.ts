import { type Findable, listFindables } from '../../catalog/findables.ts';
import { findBestMatches } from '../../catalog/finder.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ResourceTarget } from '../../contributions.ts';
import type { FindDeps } from './deps.ts';

/** A search result, with the connection that it belongs to. */
export interface FindResult extends Findable {
  readonly connection: Connection;
}

/**
 * Searches the loaded catalogs, best matches first; sends no requests.
 * @param additional more candidates, which are found if their name matches
 * @param serverResults results that a server found for exactly this text, which may match by more than the name
 */
export function searchKnown(
  deps: FindDeps,
  typed: string,
  limit: number,
  additional: readonly FindResult[] = [],
  byServer: readonly FindResult[] = [],
): readonly FindResult[] {
  // Among equally good matches, those of the current connection come first.
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
  // Rank again across all connections: the best match of one may be worse than the second best of another.
  const ranked = findBestMatches(all, typed, limit);
  const shown = new Set(ranked.map(getResultKey));
  return [...ranked, ...byServer.filter((found) => !shown.has(getResultKey(found)))].slice(0, limit);
}

export const getResultKey = ({ connection, ref }: FindResult): string =>
  `${connection.id} ${JSON.stringify(ref)}`;

/** Converts a search result to a command target. */
export const getResultTarget = ({ connection, ref, name, within }: FindResult): ResourceTarget => ({
  connectionId: connection.id,
  resource: ref,
  name,
  within,
});
