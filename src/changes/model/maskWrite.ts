import type { JsonValue } from '../../base/json.ts';
import { type Endpoint, endpoints } from '../../contract/endpoints.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import type { Operation, Write } from './operation.ts';

/** Returns whether the request or response of a write may contain a dataset connection, which may contain secrets. */
export function mayContainDatasetConnection({ endpoint }: Pick<Write, 'endpoint'>): boolean {
  const { isStoredVerbatim }: Endpoint = endpoints[endpoint];
  return isStoredVerbatim !== true;
}

/** Masks the secrets in the request or response body of a write, so that it can be shown and stored. */
export const maskBody = (write: Pick<Write, 'endpoint'>, body: JsonValue): JsonValue =>
  mayContainDatasetConnection(write) ? maskConnectorDocument(body) : body;

/** Masks the secrets in an operation, so that it can be shown and stored. Masked writes can't be sent. */
export const maskOperation = (operation: Operation): Operation => ({
  ...operation,
  writes: operation.writes.map((write) =>
    write.body === undefined ? write : { ...write, body: maskBody(write, write.body) },
  ),
});
