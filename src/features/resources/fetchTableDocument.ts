import { isJsonObject } from '../../base/json.ts';
import type { TableDocument } from '../../changes/operations/tableActions.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import type { ResourcesDeps } from './deps.ts';

/**
 * Fetches the current table from the server with all its fields, since a change of its columns sends all columns.
 * @throws ApiError
 */
export async function fetchTableDocument(
  deps: ResourcesDeps,
  connectionId: string,
  tableIds: TableIds,
): Promise<TableDocument> {
  const { client } = await deps.sessions.get(connectionId);
  const { json: table } = await client.tables.get(tableIds);
  return isJsonObject(table) ? table : {};
}
