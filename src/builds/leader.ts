import type { InstanceRecord, WindowStatus } from './sharedRecords.ts';

/** The interval between heartbeats of a window that watches builds. */
export const heartbeatMs = 3_000;
/** A window without a heartbeat for this long is considered closed. */
export const heartbeatTimeoutMs = 3 * heartbeatMs + 500;

export const isWindowAlive = (status: WindowStatus, now: number): boolean =>
  Math.abs(now - status.beat) < heartbeatTimeoutMs;

/**
 * Returns the window that polls an instance: the recorded leader if it is still a candidate, or else the candidate that
 * has watched builds for the longest time. A window that cannot poll until the user acts leads only if no window can.
 * @param windows the windows that are alive
 */
export function electLeader(
  instance: string,
  windows: readonly WindowStatus[],
  record: InstanceRecord | undefined,
): string | undefined {
  const watchingWindows = windows.filter(({ instances }) => instances.includes(instance));
  const unblockedWindows = watchingWindows.filter(({ blocked }) => !blocked.includes(instance));
  const candidates = unblockedWindows.length > 0 ? unblockedWindows : watchingWindows;
  const previousLeader = candidates.find(({ window }) => window === record?.leader);
  const [earliest] = candidates.toSorted((a, b) => a.since - b.since || (a.window < b.window ? -1 : 1));
  return (previousLeader ?? earliest)?.window;
}
