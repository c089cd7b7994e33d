import { silentLog } from '../../src/base/log.ts';
import { BuildWatch } from '../../src/builds/buildWatch.ts';
import { defaultPollSettings } from '../../src/builds/pollDelay.ts';
import { FakeClock } from '../fakes/fakeClock.ts';
import { MemoryFolder } from '../fakes/memoryFolder.ts';

const hourMs = 3_600_000;
/** At most one request per connection per 15 s, once builds are no longer new (decisions.md, "Builds"). */
export const maxRequestsPerHour = 240;

/**
 * Counts the requests that several windows send to watch running builds, which are distributed over connections. Returns
 * the count of the first hour, and the hourly rate once the builds are no longer new, measured in its last quarter.
 */
export async function countBuildRequests(buildCount: number, connectionCount: number, windowCount: number) {
  const clock = new FakeClock();
  const disk = new MemoryFolder();
  const ids = Array.from({ length: connectionCount }, (_, index) => `c${index}`);
  const tasks = new Map(ids.map((id) => [id, [] as { oid: string; status: string }[]]));
  for (let build = 0; build < buildCount; build += 1) {
    tasks.get(ids[build % connectionCount] ?? '')?.push({ oid: `b${build}`, status: 'building' });
  }
  let requestCount = 0;
  const watches = Array.from(
    { length: windowCount },
    (_, index) =>
      new BuildWatch({
        buildApi: {
          getInstanceId: (id) => (ids.includes(id) ? id : undefined),
          canPoll: () => true,
          getConnectionsInUse: () => ids,
          list: async (id) => {
            requestCount += 1;
            return tasks.get(id) ?? [];
          },
          find: async () => {
            requestCount += 1;
            return undefined;
          },
          start: async () => '',
          cancel: async () => {},
          cancelAll: async () => {},
          classifyFailure: () => ({
            retryAfterMs: undefined,
            needsUserAction: false,
            mayHaveTakenEffect: false,
          }),
        },
        folder: disk.open(),
        history: { add: async () => {} },
        clock,
        log: silentLog,
        random: () => 0.5,
        getPollSettings: () => defaultPollSettings,
        windowId: `w${index}`,
      }),
  );
  watches.forEach((watch) => watch.catchUp());
  await clock.advance((hourMs * 3) / 4);
  const countBeforeLastQuarter = requestCount;
  await clock.advance(hourMs / 4);
  watches.forEach((watch) => watch.dispose());
  return { firstHourCount: requestCount, hourlyRate: (requestCount - countBeforeLastQuarter) * 4 };
}
