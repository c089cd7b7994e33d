import type { InstanceRecord, WindowCard } from './sharedRecords.ts';

/** How often a window that follows builds says that it lives. */
export const heartbeatMs = 3_000;
/** A window that was silent for so long is gone. Shorter than the steady pause between two looks. */
export const heartbeatTimeoutMs = 3 * heartbeatMs + 500;

export const isWindowAlive = (card: WindowCard, now: number): boolean =>
  Math.abs(now - card.beat) < heartbeatTimeoutMs;

/**
 * The window that asks an instance for all: the one that did so far while it lives and can, else the oldest that can.
 * @param cards of the windows that live
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
