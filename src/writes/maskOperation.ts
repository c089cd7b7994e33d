import type { JsonValue } from '../base/json.ts';
import { maskSecrets } from '../catalog/maskSecrets.ts';
import type { Operation, Write } from './operation.ts';

/** The operation as it may be kept on disk: secrets of connections masked (design.md, section 8). */
export const maskOperation = (operation: Operation): Operation => ({
  ...operation,
  writes: operation.writes.map((write) =>
    write.body === undefined ? write : { ...write, body: maskBody(write, write.body) },
  ),
});

/** What was sent or answered, as it may be kept; only datasets have connections (platform-facts 2.5). */
export const maskBody = ({ endpoint }: Pick<Write, 'endpoint'>, body: JsonValue): JsonValue =>
  endpoint.startsWith('datasets.') || endpoint.startsWith('datamodels.') ? maskSecrets(body) : body;
