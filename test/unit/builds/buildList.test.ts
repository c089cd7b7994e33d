import { assert, describe, expect, test } from 'vitest';
import { type Build, createBuildOfTask } from '../../../src/builds/build.ts';
import {
  type TaskListings,
  areBuildsEqual,
  findMissingBuilds,
  mergeBuilds,
  mergeTasks,
  missingGraceMs,
  updateFromTask,
} from '../../../src/builds/buildList.ts';
import type { BuildTask } from '../../../src/contract/build.ts';

const createBuild = (oid: string, changes: Partial<Build> = {}): Build => ({
  ...createBuildOfTask('c', oid, 1_000),
  ...changes,
});

test('builds are ordered by when they were first seen', () => {
  const builds = [3, 1, 2].map((firstSeen) => createBuild(`b${firstSeen}`, { firstSeen }));
  expect(mergeBuilds(builds.slice(0, 2), builds.slice(2)).map(({ oid }) => oid)).toEqual(['b1', 'b2', 'b3']);
});

test('what only one window knows of a build is kept, whichever report is newer', () => {
  const started = createBuild('b', {
    firstSeen: 500,
    datamodelId: 'm',
    datamodelTitle: 'Retail',
    buildType: 'full',
    schemaOrigin: 'running',
    rowLimit: 100,
    startedBy: 'w1',
  });
  const polled = createBuild('b', { lastSeen: 2_000, status: 'building' });
  const expected = { ...started, lastSeen: 2_000, status: 'building' };
  expect(mergeBuilds([started], [polled])).toEqual([expected]);
  expect(mergeBuilds([polled], [started])).toEqual([expected]);
});

test('of two reports on a build, the newer one is kept, but a result even if it is older', () => {
  const older = createBuild('b', { lastSeen: 2_000, status: 'pending' });
  const newer = createBuild('b', { lastSeen: 3_000, status: 'building' });
  const ended = createBuild('b', { lastSeen: 1_500, ended: 1_500, status: 'done', phase: 'done' });
  const gone = createBuild('b', { lastSeen: 1_500, ended: 9_000, phase: 'gone' });
  for (const [stale, kept] of [
    [older, newer],
    [newer, ended],
    [gone, ended],
    [newer, gone],
  ] as const) {
    expect(mergeBuilds([stale], [kept])).toEqual([kept]);
    expect(mergeBuilds([kept], [stale])).toEqual([kept]);
  }
});

test('a running build without a task is missing only after the time that a server may take to list a new task', () => {
  const builds = [createBuild('a'), createBuild('b'), createBuild('c', { phase: 'done' })];
  const findMissingOids = (ageMs: number) =>
    findMissingBuilds(builds, [{ oid: 'b' }], 1_000 + ageMs).map(({ oid }) => oid);
  expect(findMissingOids(missingGraceMs - 1)).toEqual([]);
  expect(findMissingOids(missingGraceMs)).toEqual(['a']);
});

test('a build that this product started ends no earlier than its start; one from elsewhere ends when the server says', () => {
  const task = { oid: 'b', status: 'done', completed: new Date(400).toISOString() };
  expect(updateFromTask(createBuild('b', { startedBy: 'w1' }), task, 5_000).ended).toBe(1_000);
  expect(updateFromTask(createBuild('b'), task, 5_000).ended).toBe(400);
});

test('the origin of the schema is that of the task, if it is a text', () => {
  const getOrigin = (schemaOrigin: unknown) =>
    mergeTasks([], [{ oid: 'b', status: 'building', schemaOrigin }], { connectionId: 'c', now: 1_000 })[0]
      ?.schemaOrigin;
  expect(['latest', '', 5, undefined].map(getOrigin)).toEqual(['latest', undefined, undefined, undefined]);
});

test('a running task has no duration and no end, and only a failed one has a reason', () => {
  const task = {
    oid: 'b',
    started: new Date(2_000).toISOString(),
    completed: new Date(3_000).toISOString(),
    error: { table: 'Sales', message: 'no such column' },
  };
  const read = (status: string) => {
    const { ended, serverMs, reason, failedTable } = updateFromTask(
      createBuild('b'),
      { ...task, status },
      5_000,
    );
    return [ended, serverMs, reason, failedTable];
  };
  expect(read('building')).toEqual([undefined, undefined, undefined, undefined]);
  expect(read('done')).toEqual([3_000, 1_000, undefined, undefined]);
  expect(read('failed')).toEqual([3_000, 1_000, 'no such column', 'Sales']);
});

test('lists of builds are compared by value', () => {
  const [a, b] = [createBuild('a'), createBuild('b')];
  expect(areBuildsEqual([a, b], [a, { ...b }])).toBe(true);
  expect(areBuildsEqual([a, b], [a, { ...b, lastSeen: 2_000 }])).toBe(false);
  expect(areBuildsEqual([a], [a, b])).toBe(false);
  expect(areBuildsEqual([a, b], [a])).toBe(false);
});

test('of two reports or two results of the same time, the one of this window is kept, and a result replaces a report', () => {
  const [own, other] = ['building', 'pending'].map((status) => createBuild('b', { lastSeen: 2_000, status }));
  assert(own !== undefined && other !== undefined);
  expect(mergeBuilds([own], [other])).toEqual([own]);
  const [ownResult, otherResult] = [own, other].map((build) => ({
    ...build,
    phase: 'done' as const,
    ended: 3_000,
  }));
  assert(ownResult !== undefined && otherResult !== undefined);
  expect(mergeBuilds([ownResult], [{ ...otherResult, ended: 4_000 }])).toEqual([ownResult]);
  expect(mergeBuilds([own], [otherResult])).toEqual([otherResult]);
});

test('a build that is equal in another window remains the same object', () => {
  const own = createBuild('b', { lastSeen: 2_000 });
  expect(mergeBuilds([own], [{ ...own }])[0]).toBe(own);
});

describe('a task that has ended elsewhere', () => {
  const failed = createBuild('own', { datamodelId: 'm', phase: 'failed', ended: 3_000 });
  const createTask = (oid: string, completed: number | undefined, datamodelId = 'm') => ({
    oid,
    status: 'done',
    datamodelId,
    ...(completed === undefined ? {} : { completed: new Date(completed).toISOString() }),
  });
  const merge = (tasks: readonly BuildTask[], previous?: TaskListings) =>
    mergeTasks([failed], tasks, { connectionId: 'c', now: 9_000, previous })
      .filter(({ oid }) => oid !== 'own')
      .map(({ oid, phase, ended }) => `${oid} ${phase} ${ended}`);
  /** The responses up to 5,000 ms. */
  const listing = (ids: readonly string[], isComplete = true): TaskListings => ({
    ids: new Set(['own', ...ids]),
    time: 5_000,
    isComplete,
  });

  test('before the first response is added if it ended after what is known of its datamodel', () => {
    expect(merge([createTask('b', 3_001)])).toEqual(['b done 3001']);
    expect(merge([createTask('b', 2_999)])).toEqual([]);
    expect(merge([createTask('b', 2_999, 'other')])).toEqual(['b done 2999']);
  });

  test('before the first response is added only if it is the latest one of its datamodel', () => {
    const tasks = [createTask('a', 4_000), createTask('c', 6_000), createTask('b', 5_000)];
    expect(merge(tasks)).toEqual(['c done 6000']);
  });

  test('since the last response is added with all others of its datamodel, in the order of their ends', () => {
    const tasks = [createTask('c', 8_000), createTask('a', 6_000), createTask('b', 7_000)];
    expect(merge([createTask('old', 4_000), ...tasks], listing(['old']))).toEqual([
      'a done 6000',
      'b done 7000',
      'c done 8000',
    ]);
  });

  test('without a time is added only if the responses so far lack it', () => {
    const task = createTask('b', undefined);
    expect(merge([task])).toEqual([]);
    expect(merge([task], listing(['b']))).toEqual([]);
    expect(merge([task], listing([]))).toEqual(['b done 9000']);
    expect(merge([task], listing([], false))).toEqual([]);
  });

  test('without an end is ordered by its start', () => {
    const tasks = [3_000, 1_000, 2_000].map((started) => ({
      ...createTask(`b${started}`, undefined),
      started: new Date(started).toISOString(),
    }));
    expect(merge(tasks, listing([]))).toEqual(['b1000 done 9000', 'b2000 done 9000', 'b3000 done 9000']);
  });

  test('counts as ended after a response that lacks it, even if the clock of its server is behind', () => {
    const [later, earlier] = [createTask('b', 2_000), createTask('a', 1_000)];
    expect(merge([later, earlier], listing([]))).toEqual(['a done 5000', 'b done 5000']);
    expect(merge([later, earlier], listing(['a', 'b']))).toEqual([]);
  });

  test('is judged by its time if another window has received a response since', () => {
    const tasks = [5_000, 5_001, 6_000].map((completed) => createTask(`b${completed}`, completed));
    expect(merge(tasks, listing([], false))).toEqual(['b5001 done 5001', 'b6000 done 6000']);
    expect(merge(tasks, listing(['b5001', 'b6000'], false))).toEqual(['b6000 done 6000']);
  });

  test('is added if it is one of the latest fifty since the last response, or the latest one of its datamodel', () => {
    const other = createTask('other', 5_001, 'other');
    const tasks = Array.from({ length: 60 }, (_, index) => createTask(`b${index}`, 6_000 + index));
    expect(merge([other, ...tasks], listing([]))).toEqual([
      'other done 5001',
      ...tasks.slice(10).map(({ oid }, index) => `${oid} done ${6_010 + index}`),
    ]);
  });
});
