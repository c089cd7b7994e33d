import { expect, test } from 'vitest';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { TestServer, openWindow, buildRequest, openSingleWindow } from './support.ts';

/** A server whose next response to a poll waits until it is released. */
function delayFirstPoll(server: TestServer) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const source = server.source();
  let shouldWait = true;
  return {
    release: resolve,
    source: {
      ...source,
      list: async (connectionId: string) => {
        if (shouldWait) {
          shouldWait = false;
          await promise;
        }
        return source.list(connectionId);
      },
    },
  };
}

test('if an instance ends during a poll, the end of its builds is reported once', async () => {
  const clock = new FakeClock();
  const server = new TestServer();
  const { source, release } = delayFirstPoll(server);
  const { watch, ends, archived } = openWindow({ clock, disk: new MemoryFolder() }, source);
  await watch.start(buildRequest);
  await clock.advance(0);
  watch.handleInstanceEnded('c', { shouldNotify: true });
  server.tasks = new Error('gone');
  release();
  await clock.advance(0);
  expect(ends).toEqual(['b1 gone']);
  expect(archived.map(({ oid }) => oid)).toEqual(['b1']);
});

test('a build that starts during a poll and has ended in the response to that poll is reported and kept', async () => {
  const clock = new FakeClock();
  const server = new TestServer();
  const { source, release } = delayFirstPoll(server);
  const { watch, reported, archived } = openWindow({ clock, disk: new MemoryFolder() }, source);
  watch.refresh('c');
  await clock.advance(0);
  await watch.start(buildRequest);
  server.tasks = [{ oid: 'b1', status: 'failed' }];
  release();
  await clock.advance(60_000);
  expect(reported).toEqual(['b1 failed']);
  expect(archived.map(({ oid, phase }) => `${oid} ${phase}`)).toEqual(['b1 failed']);
});

test('an end that another window found during a poll is reported once', async () => {
  const clock = new FakeClock();
  const disk = new MemoryFolder();
  const server = new TestServer();
  const { source, release } = delayFirstPoll(server);
  const first = openWindow({ clock, disk }, source, 'w1');
  await first.watch.start(buildRequest);
  await clock.advance(0);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  const second = openWindow({ clock, disk }, server.source(), 'w2');
  await second.watch.whenReady();
  // The second window finds the end on its own, as if it no longer knew of the first one.
  clock.skip(20_000);
  second.watch.refresh('c');
  await clock.advance(20_000);
  expect([first.ends, second.ends]).toEqual([['b1 done'], ['b1 done']]);
  // Only now, the first window gets its response, which has the end too.
  release();
  await clock.advance(20_000);
  expect([first.ends, second.ends]).toEqual([['b1 done'], ['b1 done']]);
  expect([...first.reported, ...second.reported]).toEqual(['b1 done']);
  expect([...first.archived, ...second.archived].map(({ oid }) => oid)).toEqual(['b1']);
});

test('ended builds are no longer listed when their connection is removed', async () => {
  const { watch, clock, server } = openSingleWindow();
  await watch.start(buildRequest);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await clock.advance(2_000);
  let changes = 0;
  watch.onDidChange(() => {
    changes += 1;
  });
  server.exists = false;
  watch.startRound();
  await clock.advance(0);
  expect(watch.builds).toEqual([]);
  expect(changes).toBe(1);
});

test('any number of simultaneous ends are each reported and kept', async () => {
  const { watch, clock, server, reported, archived } = openSingleWindow();
  const oids = Array.from({ length: 80 }, (_, index) => `b${index}`);
  for (const oid of oids) {
    server.respondToStart = async () => oid;
    await watch.start(buildRequest);
  }
  server.tasks = oids.map((oid) => ({ oid, status: 'failed' }));
  await clock.advance(2_000);
  expect(reported).toHaveLength(80);
  expect(archived).toHaveLength(80);
  expect(watch.builds).toHaveLength(80);
  // Later, only the latest are listed.
  await clock.advance(3_600_000);
  watch.refresh('c');
  await clock.advance(0);
  expect(watch.builds).toHaveLength(50);
});

test('a build of a server that two connections share is reported once for each of them', async () => {
  const clock = new FakeClock();
  const source = new TestServer().source();
  const statuses = new Map([
    ['c', 'building'],
    ['d', 'building'],
  ]);
  const { watch } = openWindow(
    { clock, disk: new MemoryFolder() },
    {
      ...source,
      getInstanceId: (connectionId) => `${connectionId} there`,
      getConnectionsInUse: () => [...statuses.keys()],
      list: async (connectionId) => [{ oid: 'b1', status: statuses.get(connectionId) }],
    },
  );
  const ends: string[] = [];
  watch.onDidEnd(({ build }) => ends.push(`${build.connectionId} ${build.phase}`));
  watch.refresh('c');
  watch.refresh('d');
  await clock.advance(0);
  statuses.set('c', 'done');
  await clock.advance(10_000);
  expect(ends).toEqual(['c done']);
  statuses.set('d', 'done');
  await clock.advance(10_000);
  expect(ends).toEqual(['c done', 'd done']);
});
