import { expect, test } from 'vitest';
import { createBuildOfTask } from '../../../src/builds/build.ts';
import { findLaterEnds, findLatestEnded, hasSucceededSince } from '../../../src/builds/latestBuild.ts';

test('the latest build is the one that ended last, whenever it became known', () => {
  const builds = [
    ['a', 2_000],
    ['b', 3_000],
    ['c', 1_000],
    ['d', undefined],
  ] as const;
  const find = (count: number) =>
    findLatestEnded(
      builds.slice(0, count).map(([oid, ended]) => ({
        ...createBuildOfTask('c', oid, 5_000),
        ended,
        phase: ended === undefined ? 'running' : 'done',
      })),
    )?.oid;
  expect([0, 1, 2, 3, 4].map(find)).toEqual([undefined, 'a', 'b', 'b', 'b']);
});

test('of builds that ended at the same time, the last one of the list is the latest', () => {
  const builds = ['a', 'b'].map((oid) => ({
    ...createBuildOfTask('c', oid, 1),
    ended: 2,
    phase: 'done' as const,
  }));
  expect(findLatestEnded(builds)?.oid).toBe('b');
});

test('the builds that ended after another one are those of its datamodel, in the order of their ends', () => {
  const create = (oid: string, ended: number | undefined, datamodelId = 'm') => ({
    ...createBuildOfTask('c', oid, 1),
    datamodelId,
    ended,
    phase: ended === undefined ? ('running' as const) : ('done' as const),
  });
  const build = create('build', 5);
  const builds = [
    create('late', 7),
    create('before', 5),
    build,
    create('same time', 5),
    create('later', 6),
    create('other', 6, 'other'),
    create('running', undefined),
  ];
  expect(findLaterEnds(build, builds).map(({ oid }) => oid)).toEqual(['same time', 'later', 'late']);
});

const at = (time: number) => new Date(time).toISOString();

test.each([
  ['no times', {}, false],
  ['times that are null or no times', { lastBuildTime: 'never', lastSuccessfulBuildTime: null }, false],
  ['the success before', { lastBuildTime: at(5_000), lastSuccessfulBuildTime: at(1_000) }, false],
  ['a success of the same time', { lastSuccessfulBuildTime: at(5_000) }, false],
  ['a later success', { lastBuildTime: at(6_000), lastSuccessfulBuildTime: at(6_000) }, true],
  ['a later success alone', { lastSuccessfulBuildTime: at(6_000) }, true],
  [
    'a later success, and a later failure',
    { lastBuildTime: at(7_000), lastSuccessfulBuildTime: at(6_000) },
    false,
  ],
  ['a later publication', { lastBuildTime: at(6_000), lastPublishTime: at(6_000) }, true],
])('a datamodel with %s shows whether a build has succeeded after the failed one', (_, times, expected) => {
  expect(hasSucceededSince({ ended: 5_000 }, times)).toBe(expected);
});

test('no build counts as later than a build without an end', () => {
  expect(hasSucceededSince({ ended: undefined }, { lastSuccessfulBuildTime: at(6_000) })).toBe(false);
});
