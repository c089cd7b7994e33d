import { expect, test } from 'vitest';
import { type Build, createUnknownBuild } from '../../../src/builds/build.ts';
import { UnacknowledgedResults } from '../../../src/builds/unacknowledgedResults.ts';

/** A build that has ended at the given time. */
const createEnd = (
  oid: string,
  phase: Build['phase'],
  { datamodelId = oid, startedBy, ended = 0 }: Partial<Build> = {},
): Build => ({ ...createUnknownBuild('c', oid, 0), datamodelId, phase, startedBy, ended });

const getOids = (builds: readonly Build[]): readonly string[] => builds.map(({ oid }) => oid);

test('failures and unknown results stay until the user has seen them', () => {
  const unseen = new UnacknowledgedResults();
  unseen.add({ build: createEnd('a', 'failed'), shouldNotify: true });
  unseen.add({ build: createEnd('b', 'done'), shouldNotify: true });
  unseen.add({ build: createEnd('c', 'gone'), shouldNotify: true });
  expect(unseen.latestResult?.oid).toBe('b');
  unseen.clearLatestResult();
  expect(getOids(unseen.results)).toEqual(['a', 'c']);
  expect(unseen.latestResult).toBeUndefined();
  unseen.acknowledge();
  expect(unseen.results).toEqual([]);
  unseen.add({ build: createEnd('d', 'failed'), shouldNotify: true });
  expect(getOids(unseen.results)).toEqual(['d']);
});

test('the success of a build that was started here stays, that of another one does not', () => {
  const unseen = new UnacknowledgedResults();
  unseen.add({ build: createEnd('a', 'done', { startedBy: 'w' }), shouldNotify: true });
  expect(unseen.latestResult?.oid).toBe('a');
  unseen.add({ build: createEnd('b', 'done', { startedBy: 'w' }), shouldNotify: false });
  unseen.add({ build: createEnd('c', 'cancelled', { startedBy: 'w' }), shouldNotify: true });
  expect(getOids(unseen.results)).toEqual(['a']);
  expect(unseen.latestResult?.oid).toBe('c');
});

test('a failure that another window reports is shown here only for a while', () => {
  const unseen = new UnacknowledgedResults();
  unseen.add({ build: createEnd('a', 'failed'), shouldNotify: false });
  expect(unseen.results).toEqual([]);
  expect(unseen.latestResult?.oid).toBe('a');
  unseen.acknowledge();
  expect(unseen.latestResult).toBeUndefined();
});

test('the newest result of a datamodel replaces the older one, in whatever order they become known', () => {
  const unseen = new UnacknowledgedResults();
  unseen.add({ build: createEnd('a', 'failed', { datamodelId: 'm', ended: 1 }), shouldNotify: true });
  unseen.add({
    build: createEnd('b', 'done', { datamodelId: 'm', ended: 2, startedBy: 'w' }),
    shouldNotify: true,
  });
  expect(getOids(unseen.results)).toEqual(['b']);
  unseen.add({ build: createEnd('c', 'failed', { datamodelId: 'm', ended: 1 }), shouldNotify: true });
  expect(getOids(unseen.results)).toEqual(['b']);
  unseen.add({ build: createEnd('d', 'cancelled', { datamodelId: 'm', ended: 3 }), shouldNotify: true });
  expect(unseen.results).toEqual([]);
});

test('of two results of a datamodel with the same time, the one that became known later counts', () => {
  const unseen = new UnacknowledgedResults();
  for (const oid of ['a', 'b']) {
    unseen.add({ build: createEnd(oid, 'failed', { datamodelId: 'm', ended: 1 }), shouldNotify: true });
  }
  expect(getOids(unseen.results)).toEqual(['b']);
});

test('results follow what is known now: removed connections, tasks that are listed again', () => {
  const unseen = new UnacknowledgedResults();
  const gone = createEnd('a', 'gone');
  const done = createEnd('a', 'done');
  unseen.add({ build: gone, shouldNotify: true });
  unseen.update(() => done);
  expect(unseen.results).toEqual([done]);
  unseen.add({ build: createEnd('b', 'gone'), shouldNotify: true });
  unseen.update((_connectionId, oid) => ({ ...done, oid, phase: oid === 'b' ? 'running' : 'done' }));
  expect(getOids(unseen.results)).toEqual(['a']);
  unseen.update(() => undefined);
  expect(unseen.results).toEqual([]);
});
