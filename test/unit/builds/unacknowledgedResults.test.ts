import { expect, test } from 'vitest';
import { type Build, createBuildOfTask } from '../../../src/builds/build.ts';
import { UnacknowledgedResults } from '../../../src/builds/unacknowledgedResults.ts';

/** A build that has ended at the given time. */
const createEndedBuild = (
  oid: string,
  phase: Build['phase'],
  { datamodelId = oid, startedBy, ended = 0 }: Partial<Build> = {},
): Build => ({ ...createBuildOfTask('c', oid, 0), datamodelId, phase, startedBy, ended });

const getOids = (builds: readonly Build[]): readonly string[] => builds.map(({ oid }) => oid);

test('failures and unknown results stay until the user has seen them', () => {
  const unacknowledged = new UnacknowledgedResults();
  unacknowledged.add({ build: createEndedBuild('a', 'failed'), shouldNotify: true });
  unacknowledged.add({ build: createEndedBuild('b', 'done'), shouldNotify: true });
  unacknowledged.add({ build: createEndedBuild('c', 'gone'), shouldNotify: true });
  expect(unacknowledged.latestResult?.oid).toBe('b');
  unacknowledged.clearLatestResult();
  expect(getOids(unacknowledged.results)).toEqual(['a', 'c']);
  expect(unacknowledged.latestResult).toBeUndefined();
  unacknowledged.acknowledge();
  expect(unacknowledged.results).toEqual([]);
  unacknowledged.add({ build: createEndedBuild('d', 'failed'), shouldNotify: true });
  expect(getOids(unacknowledged.results)).toEqual(['d']);
});

test('the success of a build that was started here stays, that of another one does not', () => {
  const unacknowledged = new UnacknowledgedResults();
  unacknowledged.add({ build: createEndedBuild('a', 'done', { startedBy: 'w' }), shouldNotify: true });
  expect(unacknowledged.latestResult?.oid).toBe('a');
  unacknowledged.add({ build: createEndedBuild('b', 'done', { startedBy: 'w' }), shouldNotify: false });
  unacknowledged.add({ build: createEndedBuild('c', 'cancelled', { startedBy: 'w' }), shouldNotify: true });
  expect(getOids(unacknowledged.results)).toEqual(['a']);
  expect(unacknowledged.latestResult?.oid).toBe('c');
});

test('a failure that another window reports is shown here only for a while', () => {
  const unacknowledged = new UnacknowledgedResults();
  unacknowledged.add({ build: createEndedBuild('a', 'failed'), shouldNotify: false });
  expect(unacknowledged.results).toEqual([]);
  expect(unacknowledged.latestResult?.oid).toBe('a');
  unacknowledged.acknowledge();
  expect(unacknowledged.latestResult).toBeUndefined();
});

test('the newest result of a datamodel replaces the older one, in whatever order they become known', () => {
  const unacknowledged = new UnacknowledgedResults();
  unacknowledged.add({
    build: createEndedBuild('a', 'failed', { datamodelId: 'm', ended: 1 }),
    shouldNotify: true,
  });
  unacknowledged.add({
    build: createEndedBuild('b', 'done', { datamodelId: 'm', ended: 2, startedBy: 'w' }),
    shouldNotify: true,
  });
  expect(getOids(unacknowledged.results)).toEqual(['b']);
  unacknowledged.add({
    build: createEndedBuild('c', 'failed', { datamodelId: 'm', ended: 1 }),
    shouldNotify: true,
  });
  expect(getOids(unacknowledged.results)).toEqual(['b']);
  unacknowledged.add({
    build: createEndedBuild('d', 'cancelled', { datamodelId: 'm', ended: 3 }),
    shouldNotify: true,
  });
  expect(unacknowledged.results).toEqual([]);
});

test('of two results of a datamodel with the same time, the one that became known later counts', () => {
  const unacknowledged = new UnacknowledgedResults();
  for (const oid of ['a', 'b']) {
    unacknowledged.add({
      build: createEndedBuild(oid, 'failed', { datamodelId: 'm', ended: 1 }),
      shouldNotify: true,
    });
  }
  expect(getOids(unacknowledged.results)).toEqual(['b']);
});

test('results are updated when a connection is removed or a task is listed again', () => {
  const unacknowledged = new UnacknowledgedResults();
  const gone = createEndedBuild('a', 'gone');
  const done = createEndedBuild('a', 'done');
  unacknowledged.add({ build: gone, shouldNotify: true });
  unacknowledged.update(() => done);
  expect(unacknowledged.results).toEqual([done]);
  unacknowledged.add({ build: createEndedBuild('b', 'gone'), shouldNotify: true });
  unacknowledged.update((_connectionId, oid) => ({ ...done, oid, phase: oid === 'b' ? 'running' : 'done' }));
  expect(getOids(unacknowledged.results)).toEqual(['a']);
  unacknowledged.update(() => undefined);
  expect(unacknowledged.results).toEqual([]);
});

test('a result that becomes known after a newer one of its datamodel is not shown, even if the newer one was already seen', () => {
  const unacknowledged = new UnacknowledgedResults();
  unacknowledged.add({
    build: createEndedBuild('b', 'done', { datamodelId: 'm', ended: 2 }),
    shouldNotify: false,
  });
  unacknowledged.acknowledge();
  unacknowledged.add({
    build: createEndedBuild('a', 'failed', { datamodelId: 'm', ended: 1 }),
    shouldNotify: false,
  });
  expect(unacknowledged.latestResult).toBeUndefined();
});

test('a failure without a notification stays if it replaces one that the user has not seen', () => {
  const unacknowledged = new UnacknowledgedResults();
  const add = (oid: string, phase: Build['phase'], ended: number, shouldNotify: boolean): void =>
    unacknowledged.add({ build: createEndedBuild(oid, phase, { datamodelId: 'm', ended }), shouldNotify });
  add('a', 'failed', 1, true);
  add('b', 'failed', 2, false);
  expect(getOids(unacknowledged.results)).toEqual(['b']);
  add('c', 'done', 3, false);
  add('d', 'failed', 4, false);
  expect(unacknowledged.results).toEqual([]);
});
