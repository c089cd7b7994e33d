import type { InstanceRecord, WindowCard } from './sharedRecords.ts';

/** Heartbeat interval of a window that watches builds. */
export const heartbeatMs = 3_000;
/** A window without a heartbeat for this long is gone. Shorter than the steady pause between two polls. */
export const heartbeatTimeoutMs = 3 * heartbeatMs + 500;

export const isWindowAlive = (card: WindowCard, now: number): boolean =>
  Math.abs(now - card.beat) < heartbeatTimeoutMs;

/**
 * The window that polls an instance: the previous leader while it lives and can, otherwise the oldest that can.
 * @param cards of the windows that are alive
 */
export function electLeader(
  instance: string,
  cards: readonly WindowCard[],
  record: InstanceRecord | undefined,
): string | undefined {
  const able = cards.filter(({ instances }) => instances.includes(instance));
  const before = able.find(({ window }) => window === record?.leader);
  const [oldest] = able.toSorted((a, b) => a.since - b.since || (a.window < b.window ? -1 : 1));
  return (before ?? oldest)?.window;
}
