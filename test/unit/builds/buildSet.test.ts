import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Build, createBuildOfTask, type StartBuildRequest } from '../../../src/builds/build.ts';
import {
  type BuildSetListener,
  type BuildSetActions,
  getBuildSetExitCode,
  runBuildSet,
} from '../../../src/builds/buildSet.ts';
import { findConnectionByName, readTaskDefinition } from '../../../src/builds/buildTaskDefinition.ts';
import { getPropertyRuns } from '../../support/soak.ts';

type Outcome = 'done' | 'failed' | 'cancelled' | 'gone' | 'refused' | 'unanswered';

const lostResponseError = new Error('The connection broke');

const createRequests = (count: number): readonly StartBuildRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    connectionId: 'c',
    datamodelId: `m${index}`,
    datamodelTitle: `Model ${index}`,
    buildType: 'full',
  }));

/**
 * A server on which each build has the configured outcome: in a later turn, or with `holdsBuilds`, when the test ends it.
 * It records what was started and how many builds were running at the same time.
 */
function createServer(outcomes: readonly Outcome[], { holdsBuilds = false } = {}) {
  const running = new Set<string>();
  const started: string[] = [];
  const cancelled: string[] = [];
  let maxRunning = 0;
  const gates = outcomes.map(() => ({
    awaited: Promise.withResolvers<void>(),
    ended: Promise.withResolvers<void>(),
  }));
  const getIndex = (oid: string): number => Number(oid.slice(1));
  const host: BuildSetActions = {
    start: async ({ connectionId, datamodelId }) => {
      await setImmediate();
      const outcome = outcomes[getIndex(datamodelId)];
      if (outcome === 'refused') {
        throw new Error('locked');
      }
      if (outcome === 'unanswered') {
        throw lostResponseError;
      }
      started.push(datamodelId);
      running.add(datamodelId);
      maxRunning = Math.max(maxRunning, running.size);
      // The ID of the task is that of its datamodel.
      return createBuildOfTask(connectionId, datamodelId, 0);
    },
    mayHaveStarted: (error) => error === lostResponseError,
    waitForEnd: async (build) => {
      const gate = gates[getIndex(build.oid)];
      gate?.awaited.resolve();
      await (holdsBuilds ? gate?.ended.promise : setImmediate());
      running.delete(build.oid);
      return { ...build, phase: cancelled.includes(build.oid) ? 'cancelled' : getPhase(build.oid) };
    },
    cancel: async ({ oid }) => {
      cancelled.push(oid);
      gates[getIndex(oid)]?.ended.resolve();
    },
  };
  const getPhase = (oid: string): Build['phase'] => {
    const outcome = outcomes[getIndex(oid)];
    if (outcome === undefined || outcome === 'refused' || outcome === 'unanswered') {
      throw new Error(`The build ${oid} was not accepted`);
    }
    return outcome;
  };
  return {
    host,
    started,
    cancelled,
    getMaxRunning: () => maxRunning,
    /** Resolves once the end of each of the first builds is awaited. */
    waitUntilAwaited: (count: number) =>
      Promise.all(gates.slice(0, count).map(({ awaited }) => awaited.promise)),
    /** Ends a held build. */
    end: (index: number) => gates[index]?.ended.resolve(),
  };
}

const silentListener: BuildSetListener = { onStarted() {}, onResult() {}, onCancelFailed() {} };
const neverAborted = new AbortController().signal;

test('the builds of a set run one after the other, in order', async () => {
  const { host, started, getMaxRunning } = createServer(['done', 'done', 'done']);
  const running = runBuildSet(
    { requests: createRequests(3), maxConcurrentBuilds: 1, stopAtFirstFailure: true },
    host,
    silentListener,
    neverAborted,
  );
  expect((await running).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(started).toEqual(['m0', 'm1', 'm2']);
  expect(getMaxRunning()).toBe(1);
  expect(getBuildSetExitCode(await running)).toBe(0);
});

test.each(['failed', 'cancelled', 'gone', 'refused', 'unanswered'] as const)(
  'after the outcome %s, no further build is started',
  async (outcome) => {
    const { host, started } = createServer(['done', outcome, 'done']);
    const running = runBuildSet(
      { requests: createRequests(3), maxConcurrentBuilds: 1, stopAtFirstFailure: true },
      host,
      silentListener,
      neverAborted,
    );
    expect((await running).map(({ outcome }) => outcome)).toEqual(['done', outcome, 'skipped']);
    expect(started).not.toContain('m2');
    expect(getBuildSetExitCode(await running)).toBe(
      { failed: 1, refused: 1, cancelled: 2, gone: 3, unanswered: 3 }[outcome],
    );
  },
);

test('a build that is still running when nobody waits for it any longer counts as gone', async () => {
  const { host } = createServer(['done']);
  const results = await runBuildSet(
    { requests: createRequests(1), maxConcurrentBuilds: 1, stopAtFirstFailure: true },
    { ...host, waitForEnd: async (build) => ({ ...build, phase: 'running' }) },
    silentListener,
    neverAborted,
  );
  expect(results).toMatchObject([{ outcome: 'gone', build: { phase: 'running' } }]);
});

test('aborting cancels running builds and starts no more', async () => {
  const { host, cancelled, waitUntilAwaited } = createServer(['done', 'done', 'done', 'done'], {
    holdsBuilds: true,
  });
  const abort = new AbortController();
  const running = runBuildSet(
    { requests: createRequests(4), maxConcurrentBuilds: 2, stopAtFirstFailure: false },
    host,
    silentListener,
    abort.signal,
  );
  await waitUntilAwaited(2);
  abort.abort();
  expect((await running).map(({ outcome }) => outcome)).toEqual([
    'cancelled',
    'cancelled',
    'skipped',
    'skipped',
  ]);
  expect(cancelled).toEqual(['m0', 'm1']);
  expect(getBuildSetExitCode(await running)).toBe(2);
});

test('a build that is accepted after the set was aborted is canceled', async () => {
  const { host, cancelled } = createServer(['done', 'done'], { holdsBuilds: true });
  const abort = new AbortController();
  const accepted = Promise.withResolvers<void>();
  const running = runBuildSet(
    { requests: createRequests(2), maxConcurrentBuilds: 1, stopAtFirstFailure: false },
    {
      ...host,
      start: async (request) => {
        await accepted.promise;
        return host.start(request);
      },
    },
    silentListener,
    abort.signal,
  );
  abort.abort();
  accepted.resolve();
  expect((await running).map(({ outcome }) => outcome)).toEqual(['cancelled', 'skipped']);
  expect(cancelled).toEqual(['m0']);
});

test('a set whose builds were all skipped has not succeeded', async () => {
  const { host } = createServer(['done', 'done']);
  const results = await runBuildSet(
    { requests: createRequests(2), maxConcurrentBuilds: 1, stopAtFirstFailure: true },
    host,
    silentListener,
    AbortSignal.abort(),
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
  expect(getBuildSetExitCode(results)).toBe(2);
});

test('a failed cancellation is reported, and the build is awaited', async () => {
  const { host, waitUntilAwaited, end } = createServer(['done'], { holdsBuilds: true });
  const failed = Promise.withResolvers<unknown>();
  const abort = new AbortController();
  const running = runBuildSet(
    { requests: createRequests(1), maxConcurrentBuilds: 1, stopAtFirstFailure: false },
    { ...host, cancel: async () => Promise.reject(new Error('offline')) },
    { ...silentListener, onCancelFailed: (_build, error) => failed.resolve(error) },
    abort.signal,
  );
  await waitUntilAwaited(1);
  abort.abort();
  expect(await failed.promise).toEqual(new Error('offline'));
  end(0);
  expect((await running).map(({ outcome }) => outcome)).toEqual(['done']);
});

test('property: every request has one result, and the limit of running builds is respected', async () => {
  const arbitraryOutcome = fc.constantFrom<Outcome>(
    'done',
    'failed',
    'cancelled',
    'gone',
    'refused',
    'unanswered',
  );
  let fullyAcceptedSetCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitraryOutcome, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (outcomes, maxConcurrentBuilds, stopAtFirstFailure) => {
        const { host, getMaxRunning, started } = createServer(outcomes);
        const plan = { requests: createRequests(outcomes.length), maxConcurrentBuilds, stopAtFirstFailure };
        const running = runBuildSet(plan, host, silentListener, neverAborted);
        const results = await running;
        expect(results.map(({ request }) => request)).toEqual(plan.requests);
        const accepted = outcomes.filter((outcome) => outcome !== 'refused' && outcome !== 'unanswered');
        expect(getMaxRunning()).toBeLessThanOrEqual(maxConcurrentBuilds);
        if (!stopAtFirstFailure && accepted.length === outcomes.length) {
          fullyAcceptedSetCount += 1;
          expect(getMaxRunning()).toBe(Math.min(maxConcurrentBuilds, outcomes.length));
        }
        expect(started).toEqual([...started].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
        if (!stopAtFirstFailure) {
          expect(results.map(({ outcome }) => outcome)).toEqual(outcomes);
        }
        expect(getBuildSetExitCode(results) === 0).toBe(outcomes.every((outcome) => outcome === 'done'));
      },
    ),
    { numRuns: getPropertyRuns(100) },
  );
  expect(fullyAcceptedSetCount, 'sets whose builds were all accepted').toBeGreaterThan(5);
});

test.each([
  ['Retail', ['Retail']],
  [
    ['Retail', 'Sales'],
    ['Retail', 'Sales'],
  ],
])(
  'a VS Code task can name one or several datamodels, and omitted values have defaults: %j',
  (datamodels, expected) => {
    const task = { type: 'datamodel-build', connection: 'Sandbox', datamodels };
    expect(readTaskDefinition(task)).toEqual({
      ...task,
      datamodels: expected,
      atOnce: 1,
      stopAtFirstFailure: true,
    });
  },
);

test.each([
  [{}, ['connection', 'datamodels']],
  [{ connection: '', datamodels: [] }, ['connection', 'datamodels']],
  [{ connection: 'S', datamodels: ['a', ''] }, ['datamodels']],
  [
    { connection: 'S', datamodels: ['a'], rowLimit: 1.5, stopAtFirstFailure: 'no' },
    ['rowLimit', 'stopAtFirstFailure'],
  ],
  [{ connection: 'S', datamodels: ['a'], atOnce: 21 }, ['atOnce']],
  [{ connection: 'S', datamodels: ['a'], buildType: 7, schemaOrigin: 'x' }, ['buildType', 'schemaOrigin']],
])('each wrong property of a VS Code task is a problem: %j', (rest, properties) => {
  const problems = readTaskDefinition({ type: 'datamodel-build', ...rest });
  expect(problems).toEqual(properties.map((property) => expect.objectContaining({ property })));
});

test('a wrong value of a VS Code task is reported with the values that are possible', () => {
  const task = { type: 'datamodel-build', connection: 'S', datamodels: ['a'], buildType: 'ful' };
  expect(readTaskDefinition(task)).toEqual([
    {
      property: 'buildType',
      value: 'ful',
      expectation: { kind: 'choice', choices: expect.arrayContaining(['full']) },
    },
  ]);
});

test('the wrong value itself is included only if it is a string where a choice is expected', () => {
  const task = { type: 'datamodel-build', connection: 'S', datamodels: ['a'], buildType: 7, rowLimit: '5' };
  expect(readTaskDefinition(task)).toEqual([
    { property: 'buildType', expectation: expect.objectContaining({ kind: 'choice' }) },
    { property: 'rowLimit', expectation: { kind: 'number' } },
  ]);
});

test('a connection is found by name alone only if the name is unique', () => {
  const createConnection = (name: string, id: number) => ({ name, id });
  const all = [createConnection('A', 1), createConnection('B', 2), createConnection('B', 3)];
  expect(findConnectionByName(all, 'A')).toEqual(createConnection('A', 1));
  expect(findConnectionByName(all, 'B')).toBe('ambiguous');
  expect(findConnectionByName(all, 'a')).toBe('unknown');
});
