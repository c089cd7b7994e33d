import { isJsonObject } from '../../base/json.ts';
import type { TableDocument } from '../../changes/operations/tableActions.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import type { ResourcesDeps } from './deps.ts';

/**
 * Fetches the current table from the server, without loss: a change of its columns is based on all of them.
 * @throws ApiError
 */
export async function fetchTableDocument(
  deps: ResourcesDeps,
  connectionId: string,
  ids: TableIds,
): Promise<TableDocument> {
  const { client } = await deps.sessions.get(connectionId);
  const { json: table } = await client.tables.get(ids);
  return isJsonObject(table) ? table : {};
}
