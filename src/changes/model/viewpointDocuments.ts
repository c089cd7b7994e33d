import type { PlatformClient } from '../../client/platformClient.ts';
import type { ViewpointQuery } from '../../client/resources/viewpoints.ts';
import type { JsonObject } from '../../base/json.ts';
import { wholeList } from '../../catalog/wholeList.ts';
import { itemsOf } from './read.ts';

/** How many are asked for at a time; the server may give fewer. */
const pageSize = 500;

/**
 * All viewpoints that a query finds, as the server has them now and without loss.
 * @throws ApiError
 */
export const viewpointDocuments = (
  client: PlatformClient,
  query: Omit<ViewpointQuery, 'offset' | 'limit'>,
  signal?: AbortSignal,
): Promise<readonly JsonObject[]> =>
  wholeList({
    page: async (offset) => {
      const { json, value } = await client.viewpoints.list({ ...query, offset, limit: pageSize }, signal);
      return { items: itemsOf(json), total: value.total };
    },
    idOf: ({ id }) => id,
  });
