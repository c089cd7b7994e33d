import { assert, expect, test } from 'vitest';
import { heartbeatTimeoutMs } from '../../../src/builds/leader.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { TestFailure, TestServer, openWindow, buildRequest } from './support.ts';

const steadyMs = 15_000;

/** Windows on one machine; each has its own counter for the same tasks. */
function openWindows(count: number) {
  const clock = new FakeClock();
  const disk = new MemoryFolder();
  const open = (name: string) => {
    const server = new TestServer();
    return { server, ...openWindow({ clock, disk }, server.source(), name) };
  };
  const all = Array.from({ length: count }, (_, index) => open(`w${index + 1}`));
  const setTasks = (tasks: TestServer['tasks']): void => {
    for (const { server } of all) {
      server.tasks = tasks;
    }
  };
  const countPolls = (): number => all.reduce((sum, { server }) => sum + server.pollCount, 0);
  return { clock, disk, all, setTasks, countPolls, open };
}

const building = [{ oid: 'b1', status: 'building' }];

test.each([true, false])(
  'three windows send no more requests than one (windows watch the shared folder: %s)',
  async (isFolderWatched) => {
    const one = openWindows(1);
    const three = openWindows(3);
    for (const { clock, disk, all, setTasks } of [one, three]) {
      disk.isWatched = isFolderWatched;
      setTasks(building);
      await Promise.all(all.map(({ watch }) => watch.whenReady()));
      await all[0]?.watch.start(buildRequest);
      // Each window becomes visible, as if the user switched through them.
      await clock.advance(1_000);
      all.forEach(({ watch }) => watch.startRound());
      await clock.advance(3_600_000);
    }
    expect(three.countPolls()).toBeLessThanOrEqual(one.countPolls());
    expect(three.all.map(({ getPhase }) => getPhase())).toEqual(['running', 'running', 'running']);
  },
);

test('the end of a build is known in every window at once, and reported by the one that started it', async () => {
  const { clock, all, setTasks } = openWindows(3);
  const [first, second, third] = all;
  await first?.watch.start(buildRequest);
  setTasks(building);
  await clock.advance(60_000);
  setTasks([{ oid: 'b1', status: 'failed' }]);
  await clock.advance(5_500);
  expect(all.map(({ ends }) => ends)).toEqual([['b1 failed'], ['b1 failed'], ['b1 failed']]);
  expect(first?.reported).toEqual(['b1 failed']);
  expect([second?.reported, third?.reported]).toEqual([[], []]);
});

test('a build started in a window that does not lead is seen by all and polled by one', async () => {
  const { clock, all, setTasks, countPolls } = openWindows(2);
  const [first, second] = all;
  setTasks([{ oid: 'b0', status: 'building' }]);
  first?.watch.refresh('c');
  await clock.advance(400_000);
  if (second !== undefined) {
    second.server.respondToStart = async () => 'b1';
  }
  const before = countPolls();
  setTasks([{ oid: 'b0', status: 'building' }, ...building]);
  await second?.watch.start(buildRequest);
  await clock.advance(0);
  expect(countPolls()).toBe(before + 1);
  expect(second?.server.pollCount).toBe(0);
  expect(first?.getPhase()).toBe('running');
  setTasks([
    { oid: 'b0', status: 'building' },
    { oid: 'b1', status: 'done' },
  ]);
  await clock.advance(1_100);
  expect([first?.reported, second?.reported]).toEqual([[], ['b1 done']]);
});

test('the other windows learn of a build and of its leader although the server does not respond', async () => {
  const { clock, disk } = openWindows(0);
  const server = new TestServer();
  const source = { ...server.source(), list: () => new Promise<never>(() => {}) };
  const [first, second] = ['w1', 'w2'].map((name) => openWindow({ clock, disk }, source, name));
  assert(first !== undefined && second !== undefined);
  const readRecords = (): unknown =>
    [...disk.files]
      .filter(([name]) => name.startsWith('builds-'))
      .map(([, text]) => JSON.parse(text))
      .map(({ leader, builds }) => [leader, builds.map(({ oid }: { oid: string }) => oid)]);
  await first.watch.start(buildRequest);
  await clock.advance(0);
  expect(readRecords()).toEqual([['w1', ['b1']]]);
  expect(second.getPhase()).toBe('running');
  first.watch.dispose();
  await clock.advance(steadyMs);
  expect(readRecords()).toEqual([['w2', ['b1']]]);
});

test('a poll that is requested at the time of the last one is not repeated', async () => {
  const { clock, all, setTasks, countPolls } = openWindows(2);
  const [first, second] = all;
  setTasks(building);
  await first?.watch.start(buildRequest);
  await clock.advance(60_000);
  const before = countPolls();
  first?.watch.refresh('c');
  await clock.advance(0);
  second?.watch.refresh('c');
  await clock.advance(0);
  expect(countPolls()).toBe(before + 1);
  await clock.advance(1);
  second?.watch.refresh('c');
  await clock.advance(0);
  expect(countPolls()).toBe(before + 2);
});

test.each(['closed', 'killed'])(
  'another window takes the lead within one tick when the leader is %s',
  async (ending) => {
    const { clock, disk, all, setTasks } = openWindows(2);
    const [leader, follower] = all;
    setTasks(building);
    await leader?.watch.start(buildRequest);
    await clock.advance(600_000);
    const { pollCount } = leader?.server ?? { pollCount: 0 };
    expect(follower?.server.pollCount).toBe(0);
    const files = new Map(disk.files);
    leader?.watch.dispose();
    if (ending === 'killed') {
      files.forEach((text, name) => disk.files.set(name, text));
    }
    await clock.advance(steadyMs + 1_500);
    expect(leader?.server.pollCount).toBe(pollCount);
    expect(follower?.server.pollCount).toBe(1);
    expect(heartbeatTimeoutMs).toBeLessThan(steadyMs);
  },
);

const signedOut = new TestFailure('signed out', { needsUserAction: true });

test('a window that is signed out never leads while another one can poll', async () => {
  const { clock, all, setTasks } = openWindows(2);
  const [first, second] = all;
  assert(first !== undefined && second !== undefined);
  setTasks(building);
  first.server.tasks = signedOut;
  await first.watch.whenReady();
  await second.watch.start(buildRequest);
  await clock.advance(60_000);
  expect(second.server.pollCount).toBeGreaterThan(1);
  const pollCountBefore = first.server.pollCount;
  second.server.tasks = [{ oid: 'b1', status: 'failed' }];
  await clock.advance(60_000);
  expect([first.ends, second.ends]).toEqual([['b1 failed'], ['b1 failed']]);
  expect(second.reported).toEqual(['b1 failed']);
  expect(first.server.pollCount).toBe(pollCountBefore);
  expect(first.failures).toEqual([]);
});

test('another window becomes the leader when the leader is signed out, until only the first one can poll again', async () => {
  const { clock, all, setTasks } = openWindows(2);
  const [first, second] = all;
  assert(first !== undefined && second !== undefined);
  setTasks(building);
  await first.watch.start(buildRequest);
  await clock.advance(60_000);
  expect(second.server.pollCount).toBe(0);
  first.server.tasks = signedOut;
  await clock.advance(60_000);
  expect(second.server.pollCount).toBeGreaterThan(1);
  expect(first.failures).toEqual(['Error: signed out']);
  // Signed in again: nothing changes as long as the other window can poll.
  first.server.tasks = building;
  first.watch.handleConnectionRestored('c');
  await clock.advance(1_000);
  const { pollCount } = first.server;
  await clock.advance(60_000);
  expect(first.server.pollCount).toBe(pollCount);
  second.watch.dispose();
  await clock.advance(60_000);
  expect(first.server.pollCount).toBeGreaterThan(pollCount);
});

test('a signed-out window that opens while builds run is quiet until the user asks for them', async () => {
  const { clock, disk, all, setTasks, open } = openWindows(1);
  setTasks(building);
  await all[0]?.watch.start(buildRequest);
  await clock.advance(60_000);
  all[0]?.watch.dispose();
  expect(disk.files.size).toBeGreaterThan(0);
  const later = open('w2');
  later.server.tasks = signedOut;
  await later.watch.whenReady();
  await clock.advance(300_000);
  expect(later.server.pollCount).toBeGreaterThan(0);
  expect(later.failures).toEqual([]);
  later.watch.refresh('c');
  await clock.advance(1_000);
  expect(later.failures).toEqual(['Error: signed out']);
});

test('after the machine slept, one window polls once', async () => {
  const { clock, all, setTasks, countPolls } = openWindows(2);
  setTasks(building);
  await all[0]?.watch.start(buildRequest);
  await clock.advance(600_000);
  const before = countPolls();
  clock.skip(8 * 3_600_000);
  setTasks([{ oid: 'b1', status: 'done' }]);
  await clock.advance(1_000);
  expect(countPolls() - before).toBeLessThanOrEqual(2);
  expect(all.map(({ ends }) => ends)).toEqual([['b1 done'], ['b1 done']]);
});

test('files of other programs in the folder are ignored', async () => {
  const { clock, disk, all, setTasks } = openWindows(1);
  for (const text of ['', 'nonsense', '{"builds":', '[]', '{"window":1}']) {
    disk.files.set(`builds-${text.length}.json`, text);
    disk.files.set(`window-${text.length}.json`, text);
  }
  setTasks(building);
  await all[0]?.watch.start(buildRequest);
  await clock.advance(1_000);
  expect(all[0]?.getPhase()).toBe('running');
});

test('a window follows its builds even if the disk is full', async () => {
  const { clock, disk, all, setTasks } = openWindows(1);
  disk.isFull = true;
  setTasks(building);
  await all[0]?.watch.start(buildRequest);
  await clock.advance(5_000);
  setTasks([{ oid: 'b1', status: 'done' }]);
  await clock.advance(5_000);
  expect(all[0]?.reported).toEqual(['b1 done']);
});

test('leftovers of an instance that is no longer polled are deleted after a month', async () => {
  const { clock, disk, all, open, setTasks } = openWindows(1);
  setTasks(building);
  await all[0]?.watch.start(buildRequest);
  await clock.advance(1_000);
  all[0]?.watch.dispose();
  clock.skip(31 * 24 * 3_600_000);
  const later = open('w9');
  later.server.exists = false;
  await later.watch.whenReady();
  expect([...disk.files.keys()]).toEqual([]);
});
