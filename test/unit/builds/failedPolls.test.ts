import { assert, expect, test, vi } from 'vitest';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { TestFailure, TestServer, openWindow, buildRequest, openSingleWindow } from './support.ts';

test('a window that reads a newly started build before the first poll does not delete it', async () => {
  const clock = new FakeClock();
  // Present-day times: the fake clock begins in 1970.
  clock.skip(Date.UTC(2026, 0, 1));
  const disk = new MemoryFolder();
  const server = new TestServer();
  const source = server.source();
  const unresponsiveSource = { ...source, list: () => new Promise<never>(() => {}) };
  const first = openWindow({ clock, disk }, unresponsiveSource, 'w1');
  const second = openWindow({ clock, disk }, source, 'w2');
  const removals = vi.spyOn(disk.files, 'delete');
  await first.watch.start(buildRequest);
  await first.watch.whenReady();
  await second.watch.whenReady();
  await clock.advance(0);
  expect(removals.mock.calls.filter(([name]) => name.startsWith('builds-'))).toEqual([]);
});

test('a window that does not poll knows when the leader cannot reach the server', async () => {
  const clock = new FakeClock();
  const disk = new MemoryFolder();
  const server = new TestServer();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  const first = openWindow({ clock, disk }, server.source(), 'w1');
  const second = openWindow({ clock, disk }, server.source(), 'w2');
  let changes = 0;
  second.watch.onDidChange(() => {
    changes += 1;
  });
  await first.watch.start(buildRequest);
  await clock.advance(5_000);
  expect(second.watch.getLastUpdate('c')?.failure).toBeUndefined();
  server.tasks = new TestFailure('no network');
  const before = changes;
  await clock.advance(60_000);
  expect(second.watch.getLastUpdate('c')?.failure).toMatchObject({ name: 'LeaderFailedError' });
  expect(changes).toBeGreaterThan(before);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await clock.advance(150_000);
  expect(second.watch.getLastUpdate('c')?.failure).toBeUndefined();
});

test('a change is announced when the server can no longer be reached, and when it can be reached again', async () => {
  const { watch, clock, server } = openSingleWindow();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await watch.start(buildRequest);
  await clock.advance(5_000);
  const failureStates: boolean[] = [];
  watch.onDidChange(() => failureStates.push(watch.getLastUpdate('c')?.failure !== undefined));
  server.tasks = new TestFailure('no network');
  await clock.advance(60_000);
  expect(failureStates.at(-1)).toBe(true);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await clock.advance(150_000);
  expect(failureStates.at(-1)).toBe(false);
});

test('successful polls that find no builds announce no change', async () => {
  const { watch, clock, server } = openSingleWindow();
  let changeCount = 0;
  watch.onDidChange(() => {
    changeCount += 1;
  });
  watch.setVisible(true);
  await clock.advance(120_000);
  expect(server.pollCount).toBeGreaterThan(1);
  expect(changeCount).toBe(0);
});

test('after a sign-in the builds are polled at once, not at the end of the long pause', async () => {
  const { watch, clock, server, find } = openSingleWindow();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await watch.start(buildRequest);
  await clock.advance(5_000);
  server.tasks = new TestFailure('the token has ended', { needsUserAction: true });
  await clock.advance(3_600_000);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  watch.handleConnectionRestored('c');
  await clock.advance(0);
  expect(find()?.phase).toBe('done');
});

test('a restored connection is not polled if its last poll did not fail', async () => {
  const { watch, clock, server } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(0);
  const { pollCount } = server;
  watch.handleConnectionRestored('c');
  watch.handleConnectionRestored('elsewhere');
  await clock.advance(0);
  expect(server.pollCount).toBe(pollCount);
});

test.each([-3_600_000, -30 * 86_400_000, 3_600_000])(
  'a clock change of %i ms neither silences the monitor nor speeds it up',
  async (shiftMs) => {
    const { watch, clock, server } = openSingleWindow();
    clock.skip(Date.UTC(2026, 0, 1));
    server.tasks = [{ oid: 'b1', status: 'building' }];
    await watch.start(buildRequest);
    await clock.advance(600_000);
    const { pollCount } = server;
    clock.shiftSystemTime(shiftMs);
    watch.startRound();
    await clock.advance(3_600_000);
    const laterPollCount = server.pollCount - pollCount;
    expect(laterPollCount).toBeGreaterThan(200);
    expect(laterPollCount).toBeLessThan(400);
  },
);

test.each(['the connection is removed', 'the window is closed'])(
  'the response to a poll no longer counts if %s meanwhile',
  async (event) => {
    const [clock, disk, server] = [new FakeClock(), new MemoryFolder(), new TestServer()];
    const response = Promise.withResolvers<void>();
    const source = server.source();
    const { watch, archived, ends } = openWindow(
      { clock, disk },
      {
        ...source,
        list: async (...args) => {
          await response.promise;
          return source.list(...args);
        },
      },
    );
    await watch.start(buildRequest);
    await clock.advance(0);
    if (event === 'the window is closed') {
      watch.dispose();
    } else {
      server.exists = false;
      watch.startRound();
    }
    await clock.advance(0);
    const files = new Map(disk.files);
    server.tasks = [{ oid: 'b1', status: 'done' }];
    response.resolve();
    await clock.advance(60_000);
    expect([archived, ends, clock.timerCount]).toEqual([[], [], 0]);
    expect(disk.files).toEqual(files);
  },
);

test('a server that cannot be reached is not reported as a failure, since the user cannot do anything about it', async () => {
  const { watch, clock, server, failures } = openSingleWindow();
  server.tasks = new TestFailure('offline');
  watch.refresh('c');
  await clock.advance(60_000);
  await watch.start(buildRequest);
  await clock.advance(600_000);
  expect(server.pollCount).toBeGreaterThan(3);
  expect(failures).toEqual([]);
});

test('a connection that is restored during a poll is not polled a second time', async () => {
  const [clock, disk, server] = [new FakeClock(), new MemoryFolder(), new TestServer()];
  const source = server.source();
  let response = Promise.resolve();
  const { watch } = openWindow(
    { clock, disk },
    {
      ...source,
      list: async (...args) => {
        const tasks = source.list(...args);
        tasks.catch(() => undefined);
        await response;
        return tasks;
      },
    },
  );
  server.tasks = new TestFailure('401', { needsUserAction: true });
  watch.refresh('c');
  await clock.advance(0);
  const heldResponse = Promise.withResolvers<void>();
  response = heldResponse.promise;
  server.tasks = [];
  watch.refresh('c');
  await clock.advance(0);
  expect(server.pollCount).toBe(2);
  watch.handleConnectionRestored('c');
  heldResponse.resolve();
  await clock.advance(1_000);
  expect(server.pollCount).toBe(2);
});

test('the builds of an instance that the user ended are gone without a notification', async () => {
  const { watch, clock, ends, reported, archived } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(0);
  watch.handleInstanceEnded('c', { shouldNotify: false });
  await clock.advance(1_000);
  expect([ends, reported, archived.length]).toEqual([['b1 gone'], [], 1]);
});

test('a build is reported by the window that started it, or by the leader if that window is closed', async () => {
  const [clock, disk, server] = [new FakeClock(), new MemoryFolder(), new TestServer()];
  const [first, second] = ['w1', 'w2'].map((name) => openWindow({ clock, disk }, server.source(), name));
  assert(first !== undefined && second !== undefined);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  const build = await first.watch.start(buildRequest);
  await clock.advance(1_000);
  const buildFromElsewhere = { ...build, startedBy: undefined };
  const isReported = (...builds: readonly (typeof build)[]) =>
    builds.map((each) => [first.watch.isReportedHere(each), second.watch.isReportedHere(each)]);
  expect(
    isReported(build, buildFromElsewhere, { ...build, startedBy: 'w2' }, { ...build, startedBy: 'w0' }),
  ).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [true, false],
  ]);
  expect(isReported({ ...buildFromElsewhere, connectionId: 'other' })).toEqual([[false, false]]);
  first.watch.dispose();
  await clock.advance(20_000);
  expect(second.watch.isReportedHere(build)).toBe(true);
});

test('a request of the user that another window has fulfilled is no reason to report a later failure', async () => {
  const clock = new FakeClock();
  const disk = new MemoryFolder();
  const server = new TestServer();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  const first = openWindow({ clock, disk }, server.source(), 'w1');
  const second = openWindow({ clock, disk }, server.source(), 'w2');
  await first.watch.start(buildRequest);
  await clock.advance(5_000);
  second.watch.refresh('c');
  await clock.advance(30_000);
  server.tasks = new TestFailure('signed out', { needsUserAction: true });
  first.watch.dispose();
  await clock.advance(60_000);
  expect(second.watch.getLastUpdate('c')?.failure).toBe(server.tasks);
  expect(second.failures).toEqual([]);
});

test('a failure is reported again after its connection was removed and added again', async () => {
  const { watch, clock, server, failures } = openSingleWindow();
  server.tasks = new TestFailure('signed out', { needsUserAction: true });
  watch.refresh('c');
  await clock.advance(5_000);
  server.exists = false;
  watch.startRound();
  await clock.advance(5_000);
  server.exists = true;
  watch.refresh('c');
  await clock.advance(5_000);
  expect(failures).toEqual(['Error: signed out', 'Error: signed out']);
});

test('a window follows its builds even if the shared folder can no longer be read', async () => {
  const { watch, clock, disk, server, ends } = openSingleWindow();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await watch.start(buildRequest);
  await clock.advance(5_000);
  disk.isLocked = true;
  await clock.advance(60_000);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(60_000);
  expect(ends).toEqual(['b1 done']);
});
