import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Build, StartBuildRequest } from '../../../src/builds/build.ts';
import {
  type BuildSetListener,
  type BuildSetHost,
  getBuildSetExitCode,
  runBuildSet,
} from '../../../src/builds/buildSet.ts';
import { findConnectionByName, readTaskDefinition } from '../../../src/builds/buildTaskDefinition.ts';
import { getPropertyRuns } from '../../support/soak.ts';

type End = 'done' | 'failed' | 'cancelled' | 'gone' | 'refused' | 'unanswered';

const lost = new Error('The connection broke');

const requests = (count: number): readonly StartBuildRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    connectionId: 'c',
    datamodelId: `m${index}`,
    datamodelTitle: `Model ${index}`,
    buildType: 'full',
  }));

/** A server on which each build ends as configured, and which records the running builds. */
function server(ends: readonly End[]) {
  const running = new Set<string>();
  const started: string[] = [];
  const cancelled: string[] = [];
  let most = 0;
  const waiting = new Map<string, () => void>();
  const port: BuildSetHost = {
    start: async ({ datamodelId }) => {
      await Promise.resolve();
      if (ends[Number(datamodelId.slice(1))] === 'refused') {
        throw new Error('locked');
      }
      if (ends[Number(datamodelId.slice(1))] === 'unanswered') {
        throw lost;
      }
      started.push(datamodelId);
      running.add(datamodelId);
      most = Math.max(most, running.size);
      return { oid: datamodelId, phase: 'running' } as Build;
    },
    mayHaveStarted: (error) => error === lost,
    waitForEnd: async (build) => {
      await new Promise<void>((resolve) => waiting.set(build.oid, resolve));
      running.delete(build.oid);
      const end = ends[Number(build.oid.slice(1))];
      return { ...build, phase: cancelled.includes(build.oid) ? 'cancelled' : end } as Build;
    },
    cancel: async ({ oid }) => {
      cancelled.push(oid);
      waiting.get(oid)?.();
    },
  };
  const finishAll = async (): Promise<void> => {
    for (let turn = 0; turn < 300; turn += 1) {
      await Promise.resolve();
      const [next] = waiting;
      if (next !== undefined && turn % 5 === 0) {
        waiting.delete(next[0]);
        next[1]();
      }
    }
  };
  return { port, started, cancelled, finishAll, most: () => most };
}

const silent: BuildSetListener = { onStarted() {}, onEnded() {}, onCancelFailed() {} };
const never = new AbortController().signal;

test('runs builds one after the other, in order', async () => {
  const { port, started, finishAll, most } = server(['done', 'done', 'done']);
  const running = runBuildSet(
    { requests: requests(3), atOnce: 1, stopAtFirstFailure: true },
    port,
    silent,
    never,
  );
  await finishAll();
  expect((await running).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(started).toEqual(['m0', 'm1', 'm2']);
  expect(most()).toBe(1);
  expect(getBuildSetExitCode(await running)).toBe(0);
});

test.each(['failed', 'cancelled', 'gone', 'refused', 'unanswered'] as const)(
  '%s stops the rest',
  async (end) => {
    const { port, started, finishAll } = server(['done', end, 'done']);
    const running = runBuildSet(
      { requests: requests(3), atOnce: 1, stopAtFirstFailure: true },
      port,
      silent,
      never,
    );
    await finishAll();
    expect((await running).map(({ outcome }) => outcome)).toEqual(['done', end, 'skipped']);
    expect(started).not.toContain('m2');
    expect(getBuildSetExitCode(await running)).toBe(
      { failed: 1, refused: 1, cancelled: 2, gone: 3, unanswered: 3 }[end],
    );
  },
);

test('aborting cancels running builds and starts no more', async () => {
  const { port, cancelled, finishAll } = server(['done', 'done', 'done', 'done']);
  const abort = new AbortController();
  const running = runBuildSet(
    { requests: requests(4), atOnce: 2, stopAtFirstFailure: false },
    port,
    silent,
    abort.signal,
  );
  for (let turn = 0; turn < 4; turn += 1) {
    await Promise.resolve();
  }
  abort.abort();
  await finishAll();
  expect((await running).map(({ outcome }) => outcome)).toEqual([
    'cancelled',
    'cancelled',
    'skipped',
    'skipped',
  ]);
  expect(cancelled).toEqual(['m0', 'm1']);
  expect(getBuildSetExitCode(await running)).toBe(2);
});

test('a failed cancellation is reported, and the build is awaited', async () => {
  const { port, finishAll } = server(['done']);
  const failures: string[] = [];
  const abort = new AbortController();
  const running = runBuildSet(
    { requests: requests(1), atOnce: 1, stopAtFirstFailure: false },
    { ...port, cancel: async () => Promise.reject(new Error('offline')) },
    { ...silent, onCancelFailed: (_build, error) => failures.push(String(error)) },
    abort.signal,
  );
  for (let turn = 0; turn < 4; turn += 1) {
    await Promise.resolve();
  }
  abort.abort();
  await finishAll();
  expect((await running).map(({ outcome }) => outcome)).toEqual(['done']);
  expect(failures).toEqual(['Error: offline']);
});

test('property: every request has one result, and the limit of running builds is respected', async () => {
  const end = fc.constantFrom<End>('done', 'failed', 'cancelled', 'gone', 'refused', 'unanswered');
  await fc.assert(
    fc.asyncProperty(
      fc.array(end, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (ends, atOnce, stopAtFirstFailure) => {
        const { port, finishAll, most, started } = server(ends);
        const plan = { requests: requests(ends.length), atOnce, stopAtFirstFailure };
        const running = runBuildSet(plan, port, silent, never);
        await finishAll();
        const results = await running;
        expect(results.map(({ request }) => request)).toEqual(plan.requests);
        expect(most()).toBeLessThanOrEqual(atOnce);
        expect(started).toEqual([...started].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
        if (!stopAtFirstFailure) {
          expect(results.map(({ outcome }) => outcome)).toEqual(ends);
        }
        expect(getBuildSetExitCode(results) === 0).toBe(ends.every((one) => one === 'done'));
      },
    ),
    { numRuns: getPropertyRuns(100) },
  );
});

test('a task names one or several datamodels, and omitted values have defaults', () => {
  const task = { type: 'datamodel-build', connection: 'Sandbox', datamodels: 'Retail' };
  expect(readTaskDefinition(task)).toEqual({
    ...task,
    datamodels: ['Retail'],
    atOnce: 1,
    stopAtFirstFailure: true,
  });
});

test.each([
  [{}, /connection/],
  [{ connection: 'S', datamodels: [] }, /datamodels/],
  [{ connection: 'S', datamodels: ['a'], buildType: 'half' }, /buildType/],
  [{ connection: 'S', datamodels: ['a'], atOnce: 0 }, /atOnce/],
])('an invalid task reports the location: %j', (rest, where) => {
  expect(readTaskDefinition({ type: 'datamodel-build', ...rest })).toMatch(where);
});

test('a connection is found by name alone only if the name is unique', () => {
  const named = (name: string, id: number) => ({ name, id });
  const all = [named('A', 1), named('B', 2), named('B', 3)];
  expect(findConnectionByName(all, 'A')).toEqual(named('A', 1));
  expect(findConnectionByName(all, 'B')).toBe('ambiguous');
  expect(findConnectionByName(all, 'a')).toBe('unknown');
});
