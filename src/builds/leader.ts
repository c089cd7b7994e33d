import type { InstanceRecord, WindowCard } from './sharedRecords.ts';

/** The interval between heartbeats of a window that watches builds. */
export const heartbeatMs = 3_000;
/** A window without a heartbeat for this long is considered closed. Shorter than the steady polling interval. */
export const heartbeatTimeoutMs = 3 * heartbeatMs + 500;

export const isWindowAlive = (card: WindowCard, now: number): boolean =>
  Math.abs(now - card.beat) < heartbeatTimeoutMs;

/**
 * Returns the window that polls an instance: the recorded leader if it is still a candidate, or else the oldest
 * candidate.
 * @param windows the windows that are alive
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
