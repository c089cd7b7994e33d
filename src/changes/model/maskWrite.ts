import type { JsonValue } from '../../base/json.ts';
import { type Endpoint, endpoints } from '../../contract/endpoints.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import type { Operation, Write } from './operation.ts';

/** Whether what a write sends or is answered may hold connections. */
export function mayHoldConnection({ endpoint }: Pick<Write, 'endpoint'>): boolean {
  const { verbatim }: Endpoint = endpoints[endpoint];
  return verbatim !== true;
}

/** What a write sends or was answered, as it may be shown and kept. */
export const maskBody = (write: Pick<Write, 'endpoint'>, body: JsonValue): JsonValue =>
  mayHoldConnection(write) ? maskSecrets(body) : body;

/** An operation as it may be shown and kept: what carried a secret cannot be sent from it. */
export const maskOperation = (operation: Operation): Operation => ({
  ...operation,
  writes: operation.writes.map((write) =>
    write.body === undefined ? write : { ...write, body: maskBody(write, write.body) },
  ),
});
