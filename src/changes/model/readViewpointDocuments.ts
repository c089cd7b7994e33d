import type { PlatformClient } from '../../client/platformClient.ts';
import type { ViewpointQuery } from '../../client/resources/viewpoints.ts';
import type { JsonObject } from '../../base/json.ts';
import { loadCompleteList } from '../../catalog/loadCompleteList.ts';
import { getObjects } from './readJson.ts';

/** The requested page size; the server may return fewer. */
const pageSize = 500;

/**
 * Reads the current documents of all viewpoints that a query finds, without loss.
 * @throws ApiError
 */
export const readViewpointDocuments = (
  client: PlatformClient,
  query: Omit<ViewpointQuery, 'offset' | 'limit'>,
  signal?: AbortSignal,
): Promise<readonly JsonObject[]> =>
  loadCompleteList({
    loadPage: async (offset) => {
      const { json, value } = await client.viewpoints.list({ ...query, offset, limit: pageSize }, signal);
      return { items: getObjects(json), total: value.total };
    },
    getId: ({ id }) => id,
  });
