import { expect, test } from 'vitest';
import { BuildWatch } from '../../../src/builds/buildWatch.ts';
import { silentLog } from '../../../src/base/log.ts';
import { defaultPollPace } from '../../../src/builds/pollDelay.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryDisk } from '../../fakes/memoryFolder.ts';

const hourMs = 3_600_000;
/** design.md, section 11: one request per connection per 15 s at most, once builds are no longer new. */
const perHour = 240;

/** Requests in the first hour and in the second, the steady one, of so many builds over so many connections. */
async function requests(running: number, connections: number, windows: number) {
  const clock = new FakeClock();
  const disk = new MemoryDisk();
  const ids = Array.from({ length: connections }, (_, index) => `c${index}`);
  const tasks = new Map(ids.map((id) => [id, [] as { oid: string; status: string }[]]));
  for (let build = 0; build < running; build += 1) {
    tasks.get(ids[build % connections] ?? '')?.push({ oid: `b${build}`, status: 'building' });
  }
  let asked = 0;
  const watches = Array.from(
    { length: windows },
    (_, index) =>
      new BuildWatch({
        source: {
          instance: (id) => (ids.includes(id) ? id : undefined),
          canAsk: () => true,
          inUse: () => ids,
          list: async (id) => {
            asked += 1;
            return tasks.get(id) ?? [];
          },
          find: async () => {
            asked += 1;
            return undefined;
          },
          start: async () => '',
          cancel: async () => {},
          cancelAll: async () => {},
          failure: () => ({ retryAfterMs: undefined, needsPerson: false }),
        },
        folder: disk.open(),
        history: { add: async () => {} },
        clock,
        log: silentLog,
        random: () => 0.5,
        pace: () => defaultPollPace,
        window: `w${index}`,
      }),
  );
  watches.forEach((watch) => watch.catchUp());
  await clock.advance((hourMs * 3) / 4);
  const young = asked;
  await clock.advance(hourMs / 4);
  watches.forEach((watch) => watch.dispose());
  return { first: asked, steady: (asked - young) * 4 };
}

test('requests per hour stay under one per connection per 15 s', { timeout: 120_000 }, async () => {
  const rows: Record<string, unknown>[] = [];
  for (const windows of [1, 2]) {
    for (const connections of windows === 1 ? [1, 3, 20] : [1, 3]) {
      for (const running of [0, 1, 10, 100]) {
        const { first, steady } = await requests(running, connections, windows);
        rows.push({ windows, connections, running, 'first hour': first, 'steady hour': steady });
        const busy = Math.min(running, connections);
        expect(steady).toBeLessThan(busy * perHour + 1);
      }
    }
  }
  if (process.env['SHOW_FIGURES'] !== undefined) {
    process.stdout.write(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  }
});
