import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Build, BuildRequest } from '../../../src/builds/build.ts';
import { BuildMonitor } from '../../../src/builds/buildMonitor.ts';
import { missingGraceMs } from '../../../src/builds/buildList.ts';
import { defaultPollPace } from '../../../src/builds/pollDelay.ts';
import type { BuildTask } from '../../../src/contract/build.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const request: BuildRequest = {
  connectionId: 'c',
  datamodelId: 'm',
  datamodelTitle: 'Retail',
  buildType: 'full',
};

/** An instance whose tasks a test sets, and a monitor that watches it. */
function watching(remembered: readonly Build[] = [], start = async () => 'b1') {
  const clock = new FakeClock();
  const server = {
    tasks: [] as BuildTask[] | Error | undefined,
    looks: 0,
    retryAfterMs: undefined as number | undefined,
  };
  const written: (readonly Build[])[] = [];
  const monitor = new BuildMonitor({
    clock,
    log: silentLog,
    random: () => 0.5,
    pace: () => defaultPollPace,
    memory: { read: () => remembered, write: (builds) => written.push(builds) },
    source: {
      list: async () => {
        server.looks += 1;
        if (server.tasks instanceof Error) {
          throw server.tasks;
        }
        return server.tasks;
      },
      start,
      cancel: async () => {},
      cancelAll: async () => {},
      retryAfterMs: () => server.retryAfterMs,
    },
  });
  const ends: string[] = [];
  monitor.onDidEnd((build) => ends.push(`${build.oid} ${build.phase}`));
  return { monitor, clock, server, ends, written, phase: () => monitor.find('c', 'b1')?.phase };
}

test('follows a build from null to done and tells the end once', async () => {
  const { monitor, clock, server, ends, phase } = watching();
  await monitor.start(request);
  for (const status of [null, 'pending', 'building']) {
    server.tasks = [{ oid: 'b1', status }];
    await clock.advance(1_500);
    expect(phase()).toBe('running');
  }
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(1_500);
  await clock.advance(600_000);
  expect(phase()).toBe('done');
  expect(ends).toEqual(['b1 done']);
});

test('asks nothing while nothing runs', async () => {
  const { monitor, clock, server } = watching();
  await clock.advance(3_600_000);
  expect(server.looks).toBe(0);
  await monitor.start(request);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(2_000);
  const looks = server.looks;
  await clock.advance(3_600_000);
  expect(server.looks).toBe(looks);
  expect(clock.pending).toBe(0);
});

test('words that nobody knows count as running', async () => {
  const { monitor, clock, server, phase } = watching();
  await monitor.start(request);
  server.tasks = [{ oid: 'b1', status: 'reticulating' }];
  await clock.advance(120_000);
  expect(phase()).toBe('running');
});

test('a task that is not listed yet is waited for, and one that vanished is gone, not done', async () => {
  const { monitor, clock, server, ends, phase } = watching();
  await monitor.start(request);
  await clock.advance(missingGraceMs - 5_000);
  expect(phase()).toBe('running');
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await clock.advance(60_000);
  server.tasks = [];
  await clock.advance(60_000);
  expect(phase()).toBe('gone');
  expect(ends).toEqual(['b1 gone']);
});

test('a failed look changes nothing and is answered by a longer pause', async () => {
  const { monitor, clock, server, phase } = watching();
  await monitor.start(request);
  server.tasks = new Error('offline');
  await clock.advance(0);
  expect(clock.nextDelay).toBe(2_000);
  await clock.advance(2_000);
  expect(clock.nextDelay).toBe(4_000);
  expect(phase()).toBe('running');
});

test('leaves the server alone for as long as it asks', async () => {
  const { monitor, clock, server } = watching();
  await monitor.start(request);
  server.tasks = new Error('429');
  server.retryAfterMs = 90_000;
  await clock.advance(0);
  expect(clock.nextDelay).toBe(90_000);
});

test('takes up a build that was started elsewhere, and ignores one that was over before', async () => {
  const { monitor, clock, server } = watching();
  server.tasks = [
    { oid: 'b7', status: 'building', datamodelId: 'm7' },
    { oid: 'b8', status: 'failed', datamodelId: 'm8' },
  ];
  monitor.look('c');
  await clock.advance(0);
  expect(monitor.builds.map(({ oid, startedHere }) => [oid, startedHere])).toEqual([['b7', false]]);
});

test('tells why a build failed, and where', async () => {
  const { monitor, clock, server } = watching();
  await monitor.start(request);
  server.tasks = [
    { oid: 'b1', status: 'failed', error: { table: 'Sales', message: 'no such column: Revenu' } },
  ];
  await clock.advance(0);
  expect(monitor.find('c', 'b1')).toMatchObject({
    phase: 'failed',
    failedTable: 'Sales',
    reason: 'no such column: Revenu',
  });
});

test('goes on with what was remembered, and remembers what is unfinished', async () => {
  const first = watching();
  await first.monitor.start(request);
  const second = watching(first.written.at(-1));
  second.server.tasks = [{ oid: 'b1', status: 'canceled' }];
  await second.clock.advance(0);
  expect(second.ends).toEqual(['b1 cancelled']);
  expect(second.written.at(-1)).toEqual([]);
});

test('looks once more when it is asked while it looks', async () => {
  const { monitor, clock, server } = watching();
  monitor.look('c');
  await clock.advance(0);
  expect(server.looks).toBe(1);
  server.tasks = [{ oid: 'b2', status: 'building' }];
  monitor.look('c');
  monitor.look('c');
  await clock.advance(0);
  expect(server.looks).toBe(2);
});

test('a build that ends before its start is answered ends once', async () => {
  const answer = Promise.withResolvers<string>();
  const { monitor, clock, server, ends } = watching([], () => answer.promise);
  const starting = monitor.start(request);
  for (const status of ['building', 'failed']) {
    server.tasks = [{ oid: 'b1', status, datamodelId: 'm' }];
    monitor.look('c');
    await clock.advance(0);
  }
  answer.resolve('b1');
  const build = await starting;
  await clock.advance(60_000);
  expect(build).toMatchObject({ phase: 'failed', startedHere: true });
  expect(ends).toEqual(['b1 failed']);
});

test('the builds of a removed connection are forgotten, and nobody asks for them any more', async () => {
  const { monitor, clock, server, written } = watching();
  await monitor.start(request);
  await clock.advance(0);
  monitor.keepConnections(() => false);
  const { looks } = server;
  await clock.advance(3_600_000);
  expect(server.looks).toBe(looks);
  expect(monitor.builds).toEqual([]);
  expect(written.at(-1)).toEqual([]);
  expect(clock.pending).toBe(0);
});

test('an instance that does not run is left alone until it is in use again', async () => {
  const { monitor, clock, server, phase } = watching();
  await monitor.start(request);
  server.tasks = undefined;
  await clock.advance(60_000);
  expect(server.looks).toBe(1);
  expect(clock.pending).toBe(0);
  expect(phase()).toBe('running');
  server.tasks = [{ oid: 'b1', status: 'done' }];
  monitor.instanceInUse('other');
  await clock.advance(60_000);
  expect(server.looks).toBe(1);
  monitor.instanceInUse('c');
  await clock.advance(0);
  expect(phase()).toBe('done');
});

test('the builds of an instance that has ended are gone, not done, and are told of once', async () => {
  const { monitor, clock, server, ends, written } = watching();
  await monitor.start(request);
  await clock.advance(0);
  const { looks } = server;
  monitor.instanceEnded('other');
  expect(ends).toEqual([]);
  monitor.instanceEnded('c');
  await clock.advance(3_600_000);
  monitor.instanceEnded('c');
  expect(ends).toEqual(['b1 gone']);
  expect(written.at(-1)).toEqual([]);
  expect(server.looks).toBeLessThanOrEqual(looks + 1);
});

test('no timer is left behind', async () => {
  const { monitor, clock } = watching();
  await monitor.start(request);
  await clock.advance(0);
  monitor.dispose();
  expect(clock.pending).toBe(0);
});
