import { expect, test } from 'vitest';
import { createBuildOfTask } from '../../../src/builds/build.ts';
import { BuildHistory } from '../../../src/builds/buildHistory.ts';
import { BuildMonitor } from '../../../src/builds/buildMonitor.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';
import { buildRequest, openSingleWindow } from './support.ts';

/** Creates a monitor with one window and a server. The first `failureCount` attempts to load the build watch fail. */
function createMonitor(failureCount = 0) {
  const window = openSingleWindow();
  const log = new MemoryLog();
  const doNothing = async (): Promise<void> => {};
  const historyFile = { read: async () => [], append: doNothing, rotate: doNothing, remove: doNothing };
  let loadCount = 0;
  const monitor = new BuildMonitor({
    load: async () => {
      loadCount += 1;
      if (loadCount <= failureCount) {
        throw new Error('No space left');
      }
      const { watch } = window;
      return { watch, history: new BuildHistory(historyFile, log), dispose: () => watch.dispose() };
    },
    log,
  });
  return { ...window, monitor, log, getLoadCount: () => loadCount };
}

test('nothing is loaded until it is needed, and then once', async () => {
  const { monitor, getLoadCount } = createMonitor();
  expect([monitor.builds, monitor.runningBuilds, monitor.getLastUpdate('c')]).toEqual([[], [], undefined]);
  const build = createBuildOfTask('c', 'b1', 0);
  expect([monitor.isMonitored(build), monitor.isReportedHere(build)]).toEqual([false, false]);
  monitor.handleConnectionRestored('c');
  monitor.handleConnectionsChanged();
  monitor.handleInstanceEnded('c', { shouldNotify: true });
  monitor.setViewVisible('view', false);
  monitor.acknowledge();
  expect(getLoadCount()).toBe(0);
  await Promise.all([monitor.loadBuildWatch(), monitor.loadBuildWatch(), monitor.start(buildRequest)]);
  expect(getLoadCount()).toBe(1);
});

test('the monitor reports what the windows know and which build is running', async () => {
  const { monitor, server, clock } = createMonitor();
  const ends: string[] = [];
  monitor.onDidEnd(({ build, shouldNotify }) => ends.push(`${build.oid} ${build.phase} ${shouldNotify}`));
  const build = await monitor.start(buildRequest);
  expect(monitor.runningBuilds).toEqual([build]);
  expect([monitor.isReportedHere(build), monitor.isMonitored(build)]).toEqual([true, true]);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(2_000);
  expect(monitor.find('c', 'b1')?.phase).toBe('done');
  expect([monitor.find('c', 'b2'), monitor.find('d', 'b1')]).toEqual([undefined, undefined]);
  expect(ends).toEqual(['b1 done true']);
});

test('a build of a stopped sandbox is known but does not count as running', async () => {
  const { monitor, server, clock } = createMonitor();
  await monitor.start(buildRequest);
  server.isReachable = false;
  monitor.handleConnectionsChanged();
  await clock.advance(0);
  expect(monitor.builds).toHaveLength(1);
  expect(monitor.runningBuilds).toEqual([]);
});

test('the monitor polls while any part of the window shows builds', async () => {
  const { monitor, server, clock } = createMonitor();
  monitor.setViewVisible('view', true);
  monitor.setViewVisible('other', true);
  await clock.advance(0);
  expect(server.pollCount).toBe(1);
  monitor.setViewVisible('view', false);
  await clock.advance(60_000);
  expect(server.pollCount).toBe(2);
  monitor.setViewVisible('other', false);
  await clock.advance(600_000);
  expect(server.pollCount).toBe(2);
});

test('a view that is hidden before the builds are loaded does not poll', async () => {
  const { monitor, server, clock } = createMonitor();
  monitor.setViewVisible('view', true);
  monitor.setViewVisible('view', false);
  await clock.advance(600_000);
  expect(server.pollCount).toBe(0);
});

test('a failed load is reported and retried', async () => {
  const { monitor, log, clock } = createMonitor(2);
  await expect(monitor.start(buildRequest)).rejects.toThrow('No space left');
  monitor.catchUp();
  await clock.advance(0);
  expect(log.entries.map(({ message }) => message)).toEqual(['Loading the build watch failed']);
  expect((await monitor.start(buildRequest)).oid).toBe('b1');
});

test('loaded parts are disposed with the monitor', async () => {
  const { monitor, clock } = createMonitor();
  await monitor.start(buildRequest);
  monitor.dispose();
  await clock.advance(0);
  expect(clock.timerCount).toBe(0);
});
