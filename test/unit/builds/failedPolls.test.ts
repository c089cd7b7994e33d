import { expect, test, vi } from 'vitest';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { TestFailure, TestServer, openWindow, buildRequest, openSingleWindow } from './support.ts';

test('a build that was just started survives a window that reads it before the first poll', async () => {
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

test('a following window knows that the server cannot be reached', async () => {
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

test('losing and regaining the server are both changes', async () => {
  const { watch, clock, server } = openSingleWindow();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await watch.start(buildRequest);
  await clock.advance(5_000);
  const seen: boolean[] = [];
  watch.onDidChange(() => seen.push(watch.getLastUpdate('c')?.failure !== undefined));
  server.tasks = new TestFailure('no network');
  await clock.advance(60_000);
  expect(seen.at(-1)).toBe(true);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await clock.advance(150_000);
  expect(seen.at(-1)).toBe(false);
});

test('polls without builds and failures are no changes', async () => {
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
    watch.sync();
    await clock.advance(3_600_000);
    const after = server.pollCount - pollCount;
    expect(after).toBeGreaterThan(200);
    expect(after).toBeLessThan(400);
  },
);
