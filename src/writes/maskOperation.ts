import { maskBody } from '../secrets/maskSecrets.ts';
import type { Operation } from './operation.ts';

/** The operation as it may be kept on disk: secrets of connections masked (design.md, section 8). */
export const maskOperation = (operation: Operation): Operation => ({
  ...operation,
  writes: operation.writes.map((write) =>
    write.body === undefined ? write : { ...write, body: maskBody(write.endpoint, write.body) },
  ),
});
