import { expect, test } from 'vitest';
import { heartbeatTimeoutMs } from '../../../src/builds/leader.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryDisk } from '../../fakes/memoryFolder.ts';
import { TestServer, openWindow, request } from './support.ts';

const steadyMs = 15_000;

/** Windows on one machine; each has its own counter for the same tasks. */
function windows(count: number) {
  const clock = new FakeClock();
  const disk = new MemoryDisk();
  const open = (name: string) => {
    const server = new TestServer();
    return { server, ...openWindow({ clock, disk }, server.source(), name) };
  };
  const all = Array.from({ length: count }, (_, index) => open(`w${index + 1}`));
  const serve = (tasks: TestServer['tasks']): void => {
    for (const { server } of all) {
      server.tasks = tasks;
    }
  };
  const looks = (): number => all.reduce((sum, { server }) => sum + server.looks, 0);
  return { clock, disk, all, serve, looks, open };
}

const building = [{ oid: 'b1', status: 'building' }];

test.each([true, false])(
  'three windows send no more requests than one (folder watched: %s)',
  async (watched) => {
    const one = windows(1);
    const three = windows(3);
    for (const { clock, disk, all, serve } of [one, three]) {
      disk.watched = watched;
      serve(building);
      await Promise.all(all.map(({ watch }) => watch.whenReady()));
      await all[0]?.watch.start(request);
      // Each window becomes visible, as if the user switched through them.
      await clock.advance(1_000);
      all.forEach(({ watch }) => watch.sync());
      await clock.advance(3_600_000);
    }
    expect(three.looks()).toBeLessThanOrEqual(one.looks());
    expect(three.all.map(({ phase }) => phase())).toEqual(['running', 'running', 'running']);
  },
);

test('an end is known in every window at once, and reported by the one that started the build', async () => {
  const { clock, all, serve } = windows(3);
  const [first, second, third] = all;
  await first?.watch.start(request);
  await second?.watch.start({ ...request }).catch(() => undefined);
  serve(building);
  await clock.advance(60_000);
  serve([{ oid: 'b1', status: 'failed' }]);
  await clock.advance(5_500);
  expect(all.map(({ ends }) => ends)).toEqual([['b1 failed'], ['b1 failed'], ['b1 failed']]);
  expect(first?.reported).toEqual(['b1 failed']);
  expect([second?.reported, third?.reported]).toEqual([[], []]);
});

test('a build started in a window that does not lead is seen by all and polled by one', async () => {
  const { clock, all, serve, looks } = windows(2);
  const [first, second] = all;
  serve([{ oid: 'b0', status: 'building' }]);
  first?.watch.refresh('c');
  await clock.advance(400_000);
  if (second !== undefined) {
    second.server.started = async () => 'b1';
  }
  const before = looks();
  serve([{ oid: 'b0', status: 'building' }, ...building]);
  await second?.watch.start(request);
  await clock.advance(0);
  expect(looks()).toBe(before + 1);
  expect(second?.server.looks).toBe(0);
  expect(first?.phase()).toBe('running');
  serve([
    { oid: 'b0', status: 'building' },
    { oid: 'b1', status: 'done' },
  ]);
  await clock.advance(1_100);
  expect([first?.reported, second?.reported]).toEqual([[], ['b1 done']]);
});

test.each(['closed', 'killed'])(
  'another window takes the lead within one tick when the leader is %s',
  async (how) => {
    const { clock, disk, all, serve } = windows(2);
    const [leader, follower] = all;
    serve(building);
    await leader?.watch.start(request);
    await clock.advance(600_000);
    const { looks } = leader?.server ?? { looks: 0 };
    expect(follower?.server.looks).toBe(0);
    const files = new Map(disk.files);
    leader?.watch.dispose();
    if (how === 'killed') {
      files.forEach((text, name) => disk.files.set(name, text));
    }
    await clock.advance(steadyMs + 1_500);
    expect(leader?.server.looks).toBe(looks);
    expect(follower?.server.looks).toBe(1);
    expect(heartbeatTimeoutMs).toBeLessThan(steadyMs);
  },
);

test('after the machine slept, one window polls once', async () => {
  const { clock, all, serve, looks } = windows(2);
  serve(building);
  await all[0]?.watch.start(request);
  await clock.advance(600_000);
  const before = looks();
  clock.skip(8 * 3_600_000);
  serve([{ oid: 'b1', status: 'done' }]);
  await clock.advance(1_000);
  expect(looks() - before).toBeLessThanOrEqual(2);
  expect(all.map(({ ends }) => ends)).toEqual([['b1 done'], ['b1 done']]);
});

test('files of other programs in the folder are no obstacle', async () => {
  const { clock, disk, all, serve } = windows(1);
  for (const text of ['', 'nonsense', '{"builds":', '[]', '{"window":1}']) {
    disk.files.set(`builds-${text.length}.json`, text);
    disk.files.set(`window-${text.length}.json`, text);
  }
  serve(building);
  await all[0]?.watch.start(request);
  await clock.advance(1_000);
  expect(all[0]?.phase()).toBe('running');
});

test('a disk that cannot be written affects the other windows, not this one', async () => {
  const { clock, disk, all, serve } = windows(1);
  disk.failing = true;
  serve(building);
  await all[0]?.watch.start(request);
  await clock.advance(5_000);
  serve([{ oid: 'b1', status: 'done' }]);
  await clock.advance(5_000);
  expect(all[0]?.reported).toEqual(['b1 done']);
});

test('leftovers of an instance that is no longer polled are deleted after a month', async () => {
  const { clock, disk, all, open, serve } = windows(1);
  serve(building);
  await all[0]?.watch.start(request);
  await clock.advance(1_000);
  all[0]?.watch.dispose();
  clock.skip(31 * 24 * 3_600_000);
  const later = open('w9');
  later.server.exists = false;
  await later.watch.whenReady();
  expect([...disk.files.keys()]).toEqual([]);
});
