import { expect, test } from 'vitest';
import { missingGraceMs } from '../../../src/builds/buildList.ts';
import { TestFailure, openWindow, buildRequest, openSingleWindow } from './support.ts';

test('a build is followed from null to done, and its end is reported once', async () => {
  const { watch, clock, server, ends, reported, archived, getPhase } = openSingleWindow();
  await watch.start(buildRequest);
  for (const status of [null, 'pending', 'building']) {
    server.tasks = [{ oid: 'b1', status }];
    await clock.advance(1_500);
    expect(getPhase()).toBe('running');
  }
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(1_500);
  await clock.advance(600_000);
  expect(getPhase()).toBe('done');
  expect(ends).toEqual(['b1 done']);
  expect(reported).toEqual(['b1 done']);
  expect(archived.map(({ oid, phase: end }) => [oid, end])).toEqual([['b1', 'done']]);
});

test('no requests are sent while nothing runs and no view is visible', async () => {
  const { watch, clock, server } = openSingleWindow();
  await watch.whenReady();
  await clock.advance(3_600_000);
  expect(server.pollCount).toBe(0);
  await watch.start(buildRequest);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(2_000);
  const { pollCount } = server;
  await clock.advance(3_600_000);
  expect(server.pollCount).toBe(pollCount);
  expect(clock.timerCount).toBe(0);
});

test('builds of other users are found once a minute while a view is visible', async () => {
  const { watch, clock, server, getPhase } = openSingleWindow();
  watch.setVisible(true);
  await clock.advance(3_600_000);
  expect(server.pollCount).toBe(61);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await clock.advance(60_000);
  expect(getPhase()).toBe('running');
  server.tasks = [];
  server.isInUse = false;
  watch.setVisible(false);
  await clock.advance(60_000);
  expect(clock.timerCount).toBe(0);
});

test('builds are polled at once when the user returns, unless they were polled just before', async () => {
  const { watch, clock, server } = openSingleWindow();
  watch.catchUp();
  await clock.advance(0);
  watch.catchUp();
  await clock.advance(0);
  expect(server.pollCount).toBe(1);
  await clock.advance(15_000);
  watch.catchUp();
  await clock.advance(0);
  expect(server.pollCount).toBe(2);
});

test('unknown statuses count as running', async () => {
  const { watch, clock, server, getPhase } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = [{ oid: 'b1', status: 'some-new-status' }];
  await clock.advance(120_000);
  expect(getPhase()).toBe('running');
});

test('a task that is not listed yet is awaited, and one that vanished is gone, not done', async () => {
  const { watch, clock, server, ends, getPhase, find } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(missingGraceMs - 5_000);
  expect(getPhase()).toBe('running');
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await clock.advance(60_000);
  server.tasks = [];
  await clock.advance(60_000);
  expect(find()).toMatchObject({ phase: 'gone', status: 'building' });
  expect(find()?.ended).toBeGreaterThan(find()?.lastSeen ?? Infinity);
  expect(ends).toEqual(['b1 gone']);
});

test('a task that the list omits after its end is requested on its own', async () => {
  const { watch, clock, server, ends } = openSingleWindow();
  await watch.start(buildRequest);
  server.findSingle = (oid) => ({ oid, status: 'failed', error: 'no such table' });
  await clock.advance(60_000);
  expect(ends).toEqual(['b1 failed']);
  expect(server.singleRequestCount).toBe(1);
});

test('a task that reappears is followed to its end', async () => {
  const { watch, clock, server, ends } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(60_000);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  watch.refresh('c');
  await clock.advance(30_000);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(30_000);
  expect(ends).toEqual(['b1 gone', 'b1 done']);
});

test('a task that reappears finished is kept in the history with its real result', async () => {
  const { watch, clock, server, archived } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(60_000);
  server.tasks = [{ oid: 'b1', status: 'failed', error: 'no such table' }];
  watch.refresh('c');
  await clock.advance(1_000);
  watch.refresh('c');
  await clock.advance(1_000);
  expect(archived.map(({ phase, reason }) => [phase, reason])).toEqual([
    ['gone', undefined],
    ['failed', 'no such table'],
  ]);
});

test('after a lost start response, the build that it may have created is found and followed', async () => {
  const { watch, clock, server, getPhase, ends } = openSingleWindow();
  server.respondToStart = () =>
    Promise.reject(new TestFailure('took too long', { mayHaveTakenEffect: true }));
  server.tasks = [{ oid: 'b1', status: 'building' }];
  await expect(watch.start(buildRequest)).rejects.toThrow('took too long');
  await clock.advance(1_000);
  expect(getPhase()).toBe('running');
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(5_000);
  expect(ends).toEqual(['b1 done']);
});

test('a start that the server refused causes no poll', async () => {
  const { watch, clock, server } = openSingleWindow();
  server.respondToStart = () => Promise.reject(new TestFailure('refused'));
  await expect(watch.start(buildRequest)).rejects.toThrow('refused');
  await clock.advance(5_000);
  expect(server.pollCount).toBe(0);
});

test('a server that restarted is not flooded with requests for single tasks', async () => {
  const { watch, clock, server } = openSingleWindow();
  server.tasks = Array.from({ length: 35 }, (_, index) => ({ oid: `b${index}`, status: 'building' }));
  watch.refresh('c');
  await clock.advance(40_000);
  server.tasks = [];
  server.singleRequestCount = 0;
  await clock.advance(2_600);
  expect(server.singleRequestCount).toBe(10);
  await clock.advance(60_000);
  expect(server.singleRequestCount).toBe(35);
});

test('a failed poll changes nothing and lengthens the interval', async () => {
  const { watch, clock, server, getPhase } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = new Error('offline');
  await clock.advance(0);
  for (const [elapsedMs, pollCount] of [
    [1_900, 1],
    [200, 2],
    [3_800, 2],
    [300, 3],
  ] as const) {
    await clock.advance(elapsedMs);
    expect(server.pollCount).toBe(pollCount);
  }
  expect(getPhase()).toBe('running');
});

test('the pause that a server requests is respected in every window, even for user actions', async () => {
  const { watch, clock, disk, server } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = new TestFailure('429', { retryAfterMs: 90_000 });
  await clock.advance(0);
  watch.refresh('c');
  watch.catchUp();
  await clock.advance(60_000);
  watch.dispose();
  const second = openWindow({ clock, disk }, server.source(), 'w2');
  await second.watch.whenReady();
  await clock.advance(29_000);
  expect(server.pollCount).toBe(1);
  await clock.advance(1_500);
  expect(server.pollCount).toBe(2);
});

test('a server that requests a pause of days is polled again after ten minutes', async () => {
  const { watch, clock, server } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = new TestFailure('429', { retryAfterMs: 1e10 });
  await clock.advance(599_000);
  expect(server.pollCount).toBe(1);
  await clock.advance(2_000);
  expect(server.pollCount).toBe(2);
});

test('a refresh doesn’t report an expired token if another part of the window shows it', async () => {
  const { watch, clock, server, failures } = openSingleWindow();
  server.tasks = new TestFailure('401', { needsUserAction: true });
  watch.refresh('c', { shouldReport: false });
  await clock.advance(0);
  expect([server.pollCount, failures]).toEqual([1, []]);
  watch.refresh('c');
  await clock.advance(0);
  expect([server.pollCount, failures]).toEqual([2, ['Error: 401']]);
});

test('an expired token is reported once until polling works again', async () => {
  const { watch, clock, server, failures } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = new TestFailure('401', { needsUserAction: true });
  await clock.advance(3_600_000);
  expect(failures).toEqual(['Error: 401']);
  server.tasks = [{ oid: 'b1', status: 'building' }];
  watch.refresh('c');
  await clock.advance(1_000);
  server.tasks = new TestFailure('403', { needsUserAction: true });
  await clock.advance(3_600_000);
  expect(failures).toEqual(['Error: 401', 'Error: 403']);
});

test('a build that was started elsewhere is followed, unless it has already ended at an unknown time', async () => {
  const { watch, clock, server } = openSingleWindow();
  server.tasks = [
    { oid: 'b7', status: 'building', datamodelId: 'm7' },
    { oid: 'b8', status: 'failed', datamodelId: 'm8' },
  ];
  watch.refresh('c');
  await clock.advance(0);
  expect(watch.builds.map(({ oid, startedBy }) => [oid, startedBy])).toEqual([['b7', undefined]]);
});

test('a build that started and ended elsewhere between two polls is found, and not reported', async () => {
  const { watch, clock, server, ends, reported, archived } = openSingleWindow();
  await watch.start(buildRequest);
  const failed = { oid: 'b1', status: 'failed', datamodelId: 'm' };
  server.tasks = [failed];
  await clock.advance(1_000);
  clock.skip(60_000);
  server.tasks = [failed, { oid: 'b2', status: 'done', datamodelId: 'm' }];
  watch.refresh('c');
  await clock.advance(0);
  const expected = ['b1 failed', 'b2 done'];
  expect(watch.builds.map(({ oid, phase }) => `${oid} ${phase}`)).toEqual(expected);
  expect(ends).toEqual(expected);
  expect(reported).toEqual(['b1 failed']);
  expect(archived.map(({ oid, phase }) => `${oid} ${phase}`)).toEqual(expected);
  // The build is not found a second time.
  watch.refresh('c');
  await clock.advance(0);
  expect(ends).toEqual(expected);
  expect(archived.length).toBe(2);
});

/** A task of the datamodel `m`, in the form of both kinds of server, that ended at a time. */
const createEndedTask = (oid: string, status: string, completed: number) => ({
  oid,
  status,
  datamodelId: 'm',
  completed: new Date(completed).toISOString(),
});

test("a colleague's failure that a success followed between two polls is listed and kept, but not reported", async () => {
  const { watch, clock, server, ends, reported, archived } = openSingleWindow();
  watch.refresh('c');
  await clock.advance(60_000);
  const tasks = [
    createEndedTask('b1', 'failed', clock.now() - 3_000),
    createEndedTask('b2', 'done', clock.now() - 1_000),
  ];
  // Whichever order the server has, the newest result comes last.
  for (const response of [tasks.toReversed(), tasks]) {
    server.tasks = response;
    watch.refresh('c');
    await clock.advance(0);
    const expected = ['b1 failed', 'b2 done'];
    expect(watch.builds.map(({ oid, phase }) => `${oid} ${phase}`)).toEqual(expected);
    expect(ends).toEqual(expected);
    expect(archived.map(({ oid, phase }) => `${oid} ${phase}`)).toEqual(expected);
  }
  expect(reported).toEqual([]);
});

test.each([
  ['is not reported if a success followed it', 'done', []],
  ['is reported if another failure followed it', 'failed', ['b1 failed']],
])("a colleague's failure that was seen running %s", async (_, status, expected) => {
  const { watch, clock, server, ends, reported } = openSingleWindow();
  server.tasks = [{ oid: 'b1', status: 'building', datamodelId: 'm' }];
  watch.refresh('c');
  await clock.advance(0);
  clock.skip(60_000);
  const now = clock.now();
  server.tasks = [createEndedTask('b2', status, now - 1_000), createEndedTask('b1', 'failed', now - 3_000)];
  watch.refresh('c');
  await clock.advance(0);
  expect(ends).toEqual(['b1 failed', `b2 ${status}`]);
  expect(reported).toEqual(expected);
});

test('the failure of a build that was started here is reported although a success followed it', async () => {
  const { watch, clock, server, ends, reported } = openSingleWindow();
  await watch.start(buildRequest);
  const now = clock.now();
  server.tasks = [createEndedTask('b1', 'failed', now + 10), createEndedTask('b2', 'done', now + 20)];
  await clock.advance(60_000);
  expect(ends).toEqual(['b1 failed', 'b2 done']);
  expect(reported).toEqual(['b1 failed']);
});

test('builds that ended while no window was open are listed and kept, back to the last response', async () => {
  const { watch, clock, disk, server } = openSingleWindow();
  server.tasks = [createEndedTask('b0', 'done', clock.now() - 1_000)];
  watch.refresh('c');
  await clock.advance(0);
  watch.dispose();
  await clock.advance(3_600_000);
  server.tasks = [
    createEndedTask('old', 'failed', clock.now() - 3_600_002),
    createEndedTask('b1', 'failed', clock.now() - 3_000),
    createEndedTask('b2', 'done', clock.now() - 1_000),
  ];
  const reopened = openWindow({ clock, disk }, server.source(), 'w2');
  await reopened.watch.whenReady();
  reopened.watch.refresh('c');
  await clock.advance(0);
  expect(reopened.watch.builds.map(({ oid }) => oid)).toEqual(['b0', 'b1', 'b2']);
  expect(reopened.archived.map(({ oid }) => oid)).toEqual(['b1', 'b2']);
  expect(reopened.ends).toEqual([]);
});

test('a build that ended before the window was opened is listed, but its end is not reported', async () => {
  const { watch, clock, server, ends } = openSingleWindow();
  const completed = new Date(clock.now() - 1_000).toISOString();
  server.tasks = [{ oid: 'b8', status: 'failed', datamodelId: 'm8', completed }];
  watch.refresh('c');
  await clock.advance(0);
  expect(watch.builds.map(({ oid, ended }) => [oid, ended])).toEqual([['b8', clock.now() - 1_000]]);
  expect(ends).toEqual([]);
});

test('a failed build is reported with its cause, its table, and the duration that the server reports', async () => {
  const { watch, clock, server, find } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = [
    {
      oid: 'b1',
      status: 'failed',
      error: { table: 'Sales', message: 'no such column: Revenu' },
      started: '2026-01-01T00:00:00Z',
      completed: '2026-01-01T00:01:00Z',
    },
  ];
  await clock.advance(0);
  expect(find()).toMatchObject({
    phase: 'failed',
    failedTable: 'Sales',
    reason: 'no such column: Revenu',
    serverMs: 60_000,
  });
});

test.each([
  ['the clocks agree', 2_000, 2_000],
  ['the clock of the server is ahead', 3_600_000, 'when it was noticed'],
  ['the clock of the server is behind', -3_600_000, 'when it was last seen running'],
] as const)(
  'the end of a build is the time of the server, limited to the time since it was last seen running: %s',
  async (_, completedAfterMs, expected) => {
    const { watch, clock, server, find } = openSingleWindow();
    server.tasks = [{ oid: 'b1', status: 'building' }];
    await watch.start(buildRequest);
    await clock.advance(60_000);
    const lastSeen = find()?.lastSeen ?? Number.NaN;
    const completedAt = lastSeen + completedAfterMs;
    server.tasks = [{ oid: 'b1', status: 'done', completed: new Date(completedAt).toISOString() }];
    await clock.advance(60_000);
    const { ended, lastSeen: noticed } = find() ?? {};
    const times = { 'when it was noticed': noticed, 'when it was last seen running': lastSeen };
    expect(ended).toBe(typeof expected === 'number' ? completedAt : times[expected]);
    expect(noticed).toBeGreaterThan(lastSeen + 2_000);
  },
);

test('a watch continues from the stored state after a reload', async () => {
  const { watch, clock, disk, server } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(5_000);
  watch.dispose();
  const reloaded = openWindow({ clock, disk }, server.source(), 'w1 reloaded');
  await reloaded.watch.whenReady();
  expect(reloaded.getPhase()).toBe('running');
  server.tasks = [{ oid: 'b1', status: 'canceled' }];
  await clock.advance(2_000);
  expect(reloaded.reported).toEqual(['b1 cancelled']);
});

test('a build that ends while no window is open is reported in the next window', async () => {
  const { watch, clock, disk, server } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(5_000);
  watch.dispose();
  await clock.advance(3_600_000);
  server.tasks = [{ oid: 'b1', status: 'failed' }];
  const reloaded = openWindow({ clock, disk }, server.source(), 'w2');
  await reloaded.watch.whenReady();
  await clock.advance(0);
  expect(reloaded.reported).toEqual(['b1 failed']);
});

test('builds are polled once more when that is requested during a poll', async () => {
  const { watch, clock, server } = openSingleWindow();
  watch.refresh('c');
  await clock.advance(0);
  expect(server.pollCount).toBe(1);
  server.tasks = [{ oid: 'b2', status: 'building' }];
  watch.refresh('c');
  watch.refresh('c');
  await clock.advance(0);
  expect(server.pollCount).toBe(2);
});

test('a build that ends before the response to its start is reported once', async () => {
  const startResponse = Promise.withResolvers<string>();
  const { watch, clock, server, ends } = openSingleWindow();
  server.respondToStart = () => startResponse.promise;
  const starting = watch.start(buildRequest);
  for (const status of ['building', 'failed']) {
    server.tasks = [{ oid: 'b1', status, datamodelId: 'm' }];
    watch.refresh('c');
    await clock.advance(0);
  }
  startResponse.resolve('b1');
  const build = await starting;
  await clock.advance(60_000);
  expect(build).toMatchObject({ phase: 'failed', startedBy: 'w1', datamodelTitle: 'Retail' });
  expect(ends).toEqual(['b1 failed']);
});

test('builds of a removed connection are forgotten and no longer polled', async () => {
  const { watch, clock, server } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(0);
  server.exists = false;
  watch.startRound();
  await clock.advance(0);
  const { pollCount } = server;
  await clock.advance(3_600_000);
  expect(server.pollCount).toBe(pollCount);
  expect(watch.builds).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

test('nothing is known of a connection that does not exist, and it is not polled', async () => {
  const { watch, clock, server } = openSingleWindow();
  watch.refresh('other');
  watch.handleConnectionRestored('other');
  watch.handleInstanceEnded('other', { shouldNotify: true });
  await clock.advance(60_000);
  expect([watch.getLastUpdate('other'), watch.hasLeader('other')]).toEqual([undefined, false]);
  expect(watch.getLastUpdate('c')).toEqual({ time: 0, failure: undefined });
  expect([server.pollCount, clock.timerCount]).toEqual([0, 0]);
});

test('a stopped sandbox is not polled, and its builds do not show as running', async () => {
  const { watch, clock, server } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(5_000);
  server.isReachable = false;
  watch.startRound();
  await clock.advance(0);
  const { pollCount } = server;
  watch.catchUp();
  watch.refresh('c');
  await clock.advance(3_600_000);
  expect(server.pollCount).toBe(pollCount);
  expect(watch.hasLeader('c')).toBe(false);
  let changes = 0;
  watch.onDidChange(() => {
    changes += 1;
  });
  server.isReachable = true;
  watch.startRound();
  await clock.advance(0);
  expect(server.pollCount).toBe(pollCount + 1);
  expect(changes).toBeGreaterThan(0);
  expect(watch.builds[0]?.phase).toBe('gone');
});

test('a build is followed from the moment it is accepted', async () => {
  const { watch, server } = openSingleWindow();
  server.tasks = new Error('offline');
  const followedAtCalls: boolean[] = [];
  watch.onDidChange(() => followedAtCalls.push(watch.hasLeader('c')));
  await watch.start(buildRequest);
  expect(followedAtCalls).toEqual([true]);
});

test('builds of an instance that ended are gone, not done, and are reported once', async () => {
  const { watch, clock, server, reported, archived } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(0);
  const { pollCount } = server;
  watch.handleInstanceEnded('other', { shouldNotify: true });
  expect(reported).toEqual([]);
  watch.handleInstanceEnded('c', { shouldNotify: true });
  await clock.advance(3_600_000);
  watch.handleInstanceEnded('c', { shouldNotify: true });
  expect(reported).toEqual(['b1 gone']);
  expect(archived).toHaveLength(1);
  expect(server.pollCount).toBeLessThanOrEqual(pollCount + 1);
});

test('a disposed watch leaves no timer and no status file of its window', async () => {
  const { watch, clock, disk } = openSingleWindow();
  await watch.start(buildRequest);
  await clock.advance(0);
  expect([...disk.files.keys()].filter((name) => name.startsWith('window-'))).toHaveLength(1);
  watch.dispose();
  await clock.advance(0);
  expect(clock.timerCount).toBe(0);
  expect([...disk.files.keys()].filter((name) => name.startsWith('window-'))).toEqual([]);
});
