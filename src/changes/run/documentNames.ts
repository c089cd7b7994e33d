import { ApiError } from '../../client/errors.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { readCompleteDatamodel } from '../model/readCompleteDatamodel.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { listContentNames, listJoinedDatamodelIds } from '../journal/writtenDocuments.ts';

/**
 * Loads names by ID that not every journal contains: the titles of the datamodels, and the names of the tables and
 * columns in those whose relations a change writes.
 * @throws ApiError
 */
export async function loadDocumentNames(
  entries: readonly HistoryEntry[],
  client: PlatformClient,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { value } = await client.datamodels.list({}, signal);
  const joinedIds = new Set(entries.flatMap(listJoinedDatamodelIds));
  const joined = value.filter(({ oid }) => joinedIds.has(oid));
  const documents = await Promise.all(
    joined.map(({ oid }) =>
      readCompleteDatamodel(client, oid, signal).catch((error: unknown) => {
        if (!(error instanceof ApiError) || signal?.aborted === true) {
          throw error;
        }
        // The documents are shown without these names.
        return null;
      }),
    ),
  );
  return new Map([
    ...value.map(({ oid, title }) => [oid, title] as const),
    ...documents.flatMap((document) => listContentNames(document)),
  ]);
}
