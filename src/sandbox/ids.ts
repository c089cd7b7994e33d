import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';

/** Creates the ids of new resources. */
export interface IdGenerator {
  /** Creates an `oid` of the v2 endpoints: a UUID. */
  createOid(): string;
  /** Creates an `_id` or viewpoint `id`: 24 hex digits (platform-facts.md, 3.1 and 4), sortable by creation. */
  createObjectId(): string;
}

/**
 * Creates a generator of IDs. Its object IDs consist of seconds (4 bytes), a random part (5 bytes) and a counter (3
 * bytes), like those of MongoDB.
 */
export function createIdGenerator(clock: Clock): IdGenerator {
  const randomPart = randomBytes(5).toString('hex');
  let counter = 0;
  let lastSecond = 0;
  return {
    createOid: () => randomUUID(),
    createObjectId() {
      // Ids must increase even if the system clock is set back, since viewpoints are listed by id.
      const second = Math.max(lastSecond, Math.floor(clock.now() / 1000));
      counter = second === lastSecond ? counter + 1 : 0;
      lastSecond = second;
      const formatHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
      return `${formatHex(second, 8)}${randomPart}${formatHex(counter, 6)}`;
    },
  };
}
