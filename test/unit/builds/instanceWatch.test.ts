import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { type Build, createBuildOfTask } from '../../../src/builds/build.ts';
import { InstanceWatch } from '../../../src/builds/instanceWatch.ts';
import { defaultPollSettings } from '../../../src/builds/pollDelay.ts';
import type { InstanceRecord } from '../../../src/builds/sharedRecords.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { TestFailure, TestServer } from './support.ts';

function createWatch() {
  const [clock, server] = [new FakeClock(), new TestServer()];
  const deps = {
    buildApi: server.source(),
    clock,
    log: silentLog,
    random: () => 0,
    getPollSettings: () => defaultPollSettings,
  };
  return { clock, server, watch: new InstanceWatch(deps, 'c', 'i') };
}

const createBuild = (oid: string, changes: Partial<Build> = {}): Build => ({
  ...createBuildOfTask('c', oid, 5),
  ...changes,
});

const createRecord = (changes: Partial<InstanceRecord>): InstanceRecord => ({
  instance: 'i',
  connectionId: 'c',
  leader: 'w2',
  askedAt: 0,
  heardAt: 0,
  notBefore: 0,
  failures: 0,
  builds: [],
  ...changes,
});

test.each([-1, 0, 1])(
  'a poll of the leader %i ms after that of this window counts only if it is later',
  async (ms) => {
    const { clock, watch } = createWatch();
    await watch.poll();
    const pollAt = clock.now();
    watch.adopt(createRecord({ askedAt: pollAt + ms, failures: 2, notBefore: 77 }));
    expect([watch.lastPollAt, watch.earliestPollAt]).toEqual(ms > 0 ? [pollAt + ms, 77] : [pollAt, 0]);
    expect(String(watch.lastUpdate.failure)).toMatch(ms > 0 ? /^LeaderFailedError/ : /^undefined$/);
    expect(watch.createRecord('w1').failures).toBe(ms > 0 ? 2 : 0);
  },
);

test('the time of the last response is the latest one of all windows', async () => {
  const { clock, watch } = createWatch();
  await watch.poll();
  const heardAt = clock.now();
  watch.adopt(createRecord({ heardAt: heardAt - 1 }));
  expect(watch.lastUpdate.time).toBe(heardAt);
  watch.adopt(createRecord({ heardAt: heardAt + 1 }));
  expect(watch.lastUpdate.time).toBe(heardAt + 1);
});

test('an error of a poll of this window is kept until a poll of the leader succeeds', async () => {
  const { clock, server, watch } = createWatch();
  const error = new TestFailure('offline');
  server.tasks = error;
  await watch.poll();
  watch.adopt(createRecord({ askedAt: clock.now() + 1, failures: 1 }));
  expect(watch.lastUpdate.failure).toBe(error);
  watch.adopt(createRecord({ askedAt: clock.now() + 2, failures: 0 }));
  expect(watch.lastUpdate.failure).toBeUndefined();
});

test('a window has changes to record if it knows something that the record lacks', () => {
  const { watch } = createWatch();
  const getChangesAfter = (change: () => void): boolean => {
    change();
    return watch.hasChanges;
  };
  expect(getChangesAfter(() => watch.addBuilds([]))).toBe(false);
  expect(getChangesAfter(() => watch.addBuilds([createBuild('a')]))).toBe(true);
  const known = createRecord({ builds: [createBuild('a'), createBuild('b')] });
  expect(getChangesAfter(() => watch.adopt(known))).toBe(false);
  expect(getChangesAfter(() => watch.addBuilds([createBuild('b')]))).toBe(false);
  expect(getChangesAfter(() => watch.addBuilds([createBuild('b', { lastSeen: 9 })]))).toBe(true);
  // The same record is read again, without the change of this window.
  expect(getChangesAfter(() => watch.adopt(known))).toBe(true);
  expect(getChangesAfter(() => watch.adopt({ ...known }))).toBe(true);
  expect(getChangesAfter(() => watch.createRecord('w1'))).toBe(false);
  expect(getChangesAfter(() => watch.markAllGone())).toBe(true);
  expect(watch.runningBuilds).toEqual([]);
});

test('only running builds become gone with their server', () => {
  const { clock, watch } = createWatch();
  const done = createBuild('b', { phase: 'done', ended: clock.now() });
  watch.addBuilds([createBuild('a'), done]);
  clock.skip(1_000);
  watch.markAllGone();
  expect(watch.builds).toEqual([createBuild('a', { phase: 'gone', ended: clock.now() }), done]);
});

test('a build whose end becomes known while its task is requested does not end again with the response', async () => {
  const { clock, server, watch } = createWatch();
  watch.addBuilds([createBuild('a'), createBuild('b')]);
  clock.skip(60_000);
  server.findSingle = (oid) => {
    if (oid === 'a') {
      watch.addBuilds([createBuild('a', { phase: 'done', ended: clock.now(), lastSeen: clock.now() })]);
    }
    return undefined;
  };
  await watch.poll();
  expect(watch.builds.map(({ phase }) => phase)).toEqual(['done', 'gone']);
});

test('a failed request for a missing task leaves the build running', async () => {
  const { clock, server, watch } = createWatch();
  watch.addBuilds([createBuild('a')]);
  clock.skip(60_000);
  server.findSingle = () => {
    throw new TestFailure('500', { retryAfterMs: 3_000 });
  };
  expect(await watch.poll()).toEqual([]);
  expect([watch.runningBuilds.length, watch.isPolling, watch.earliestPollAt]).toEqual([
    1,
    false,
    clock.now() + 3_000,
  ]);
});

test('after a response to another window, a task that the last response to this window lacked does not count as just ended', async () => {
  const { clock, server, watch } = createWatch();
  await watch.poll();
  watch.adopt(createRecord({ askedAt: clock.now() + 1, heardAt: clock.now() + 1 }));
  server.tasks = [{ oid: 'b', status: 'done', datamodelId: 'm' }];
  expect(await watch.poll()).toEqual([]);
  server.tasks = [...server.tasks, { oid: 'c', status: 'done', datamodelId: 'm' }];
  expect((await watch.poll()).map(({ oid }) => oid)).toEqual(['c']);
});

test('after a response of another window, all builds that ended later are found', async () => {
  const { clock, server, watch } = createWatch();
  await watch.poll();
  const heardAt = clock.now() + 1_000;
  watch.adopt(createRecord({ askedAt: heardAt, heardAt }));
  clock.skip(10_000);
  server.tasks = [heardAt, heardAt + 1, heardAt + 2].map((completed, index) => ({
    oid: `b${index}`,
    status: 'failed',
    datamodelId: 'm',
    completed: new Date(completed).toISOString(),
  }));
  expect((await watch.poll()).map(({ oid }) => oid)).toEqual(['b1', 'b2']);
});

test('after a failed poll of another window, a task that the last response to this window lacked counts as just ended', async () => {
  const { clock, server, watch } = createWatch();
  await watch.poll();
  watch.adopt(createRecord({ askedAt: clock.now() + 1, heardAt: clock.now(), failures: 1 }));
  server.tasks = [{ oid: 'b', status: 'done', datamodelId: 'm' }];
  expect((await watch.poll()).map(({ oid }) => oid)).toEqual(['b']);
});
