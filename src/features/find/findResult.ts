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
 * @param additionalCandidates further candidates, which are found if their name matches
 * @param serverResults results that a server found for exactly this text, which may match by more than the name
 */
export function searchCatalogs(
  deps: FindDeps,
  searchText: string,
  limit: number,
  additionalCandidates: readonly FindResult[] = [],
  serverResults: readonly FindResult[] = [],
): readonly FindResult[] {
  // Among equally good matches, those of the current connection come first.
  const catalogResults = deps.currentConnection.allCurrentFirst.flatMap((connection) => {
    const catalog = deps.sessions.peek(connection.id)?.catalog;
    return catalog === undefined
      ? []
      : findBestMatches(listFindables(catalog.knownResources), searchText, limit).map((findable) => ({
          ...findable,
          connection,
        }));
  });
  const catalogKeys = new Set(catalogResults.map(getResultKey));
  const candidates = [
    ...catalogResults,
    ...additionalCandidates.filter((result) => !catalogKeys.has(getResultKey(result))),
  ];
  // Rank again across all connections: the best match of one may be worse than the second best of another.
  const rankedResults = findBestMatches(candidates, searchText, limit);
  const rankedKeys = new Set(rankedResults.map(getResultKey));
  return [...rankedResults, ...serverResults.filter((result) => !rankedKeys.has(getResultKey(result)))].slice(
    0,
    limit,
  );
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
