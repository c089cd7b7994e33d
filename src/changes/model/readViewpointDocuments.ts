import type { PlatformClient } from '../../client/platformClient.ts';
import type { ViewpointQuery } from '../../client/resources/viewpoints.ts';
import type { JsonObject } from '../../base/json.ts';
import { loadCompleteList } from '../../catalog/loadCompleteList.ts';
import { getObjects } from './jsonMembers.ts';

/** The requested page size; the server may return fewer. */
const pageSize = 500;

/** The documents of viewpoints, and their total number as reported by the server, if it reports one. */
export interface ViewpointDocuments {
  readonly documents: readonly JsonObject[];
  readonly total: number | undefined;
}

/**
 * Reads the current documents of all viewpoints that a query finds, without loss.
 * @throws ApiError
 */
export async function readViewpointDocuments(
  client: PlatformClient,
  query: Omit<ViewpointQuery, 'offset' | 'limit'>,
  signal?: AbortSignal,
): Promise<readonly JsonObject[]> {
  return (await readCountedViewpoints(client, query, signal)).documents;
}

/**
 * Reads the current documents of viewpoints with their count: a server may return fewer than it counts.
 * @param onProgress called after each page
 * @throws ApiError
 */
export async function readCountedViewpoints(
  client: PlatformClient,
  query: Omit<ViewpointQuery, 'offset' | 'limit'>,
  signal?: AbortSignal,
  onProgress?: (readCount: number, total: number | undefined) => void,
): Promise<ViewpointDocuments> {
  let total: number | undefined;
  const documents = await loadCompleteList({
    loadPage: async (offset) => {
      const { json, value } = await client.viewpoints.list({ ...query, offset, limit: pageSize }, signal);
      ({ total } = value);
      return { items: getObjects(json), total };
    },
    getId: ({ id }) => id,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  return { documents, total };
}
