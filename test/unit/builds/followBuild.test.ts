import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createStartedBuild } from '../../../src/builds/build.ts';
import { followBuild, type FollowBuildDeps, maxSilenceMs } from '../../../src/builds/followBuild.ts';
import { defaultPollSettings } from '../../../src/builds/pollDelay.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { buildRequest, TestFailure, TestServer } from './support.ts';

interface FollowOptions extends Partial<Pick<FollowBuildDeps, 'buildApi' | 'getPollSettings'>> {
  readonly clock?: FakeClock;
  /** The number of polls after which following is aborted. */
  readonly abortAfterPolls?: number;
}

function follow(server: TestServer, options: FollowOptions = {}) {
  const { clock = new FakeClock(), abortAfterPolls, ...overrides } = options;
  const controller = new AbortController();
  const polls: unknown[] = [];
  const abortIfDue = (): void => {
    if (polls.length === abortAfterPolls) {
      controller.abort();
    }
  };
  abortIfDue();
  const result = followBuild(
    createStartedBuild(buildRequest, 'b1', clock.now(), 'cli'),
    {
      buildApi: server.source(),
      clock,
      log: silentLog,
      random: () => 0,
      getPollSettings: () => defaultPollSettings,
      ...overrides,
    },
    {
      signal: controller.signal,
      onPoll: (build, failure) => {
        polls.push(failure ?? build.status);
        abortIfDue();
      },
    },
  );
  return { clock, controller, polls, result };
}

test.each(['done', 'failed', 'cancelled'] as const)('a build is followed until it is %s', async (phase) => {
  const server = new TestServer();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  const { clock, polls, result } = follow(server);
  await clock.advance(1500);
  server.tasks = [{ oid: 'b1', status: phase }];
  await clock.advance(5000);
  expect(await result).toMatchObject({ kind: 'ended', build: { phase } });
  expect(polls).toEqual(['building', 'building', phase]);
});

test('a task that vanished is gone, never done, and only after the server had time to list it', async () => {
  const server = new TestServer();
  const { clock, polls, result } = follow(server);
  await clock.advance(29_000);
  expect(server.singleRequestCount).toBe(0);
  await clock.advance(10_000);
  expect(await result).toMatchObject({ kind: 'ended', build: { phase: 'gone' } });
  expect(polls.length).toBeGreaterThan(5);
});

test('an interruption ends the waiting at once, even during a poll', async () => {
  const server = new TestServer();
  const hangingSource: ReturnType<TestServer['source']> = {
    ...server.source(),
    list: () => new Promise(() => {}),
  };
  server.source = () => hangingSource;
  const { clock, controller, result } = follow(server);
  await clock.advance(2000);
  controller.abort();
  expect(await result).toMatchObject({ kind: 'aborted', build: { phase: 'running', oid: 'b1' } });
});

test('a token that has expired ends the waiting: nobody can sign in', async () => {
  const server = new TestServer();
  const failure = new TestFailure('401', { needsUserAction: true });
  server.tasks = failure;
  const { clock, result } = follow(server);
  await clock.advance(1000);
  expect(await result).toMatchObject({ kind: 'unreadable', error: failure, build: { phase: 'running' } });
});

test('a server that restarts is waited for, but not forever', async () => {
  const server = new TestServer();
  server.tasks = new TestFailure('503');
  const restarted = follow(server);
  await restarted.clock.advance(maxSilenceMs / 2);
  server.tasks = [{ oid: 'b1', status: 'done' }];
  await restarted.clock.advance(maxSilenceMs);
  expect(await restarted.result).toMatchObject({ kind: 'ended', build: { phase: 'done' } });
  server.tasks = new TestFailure('503');
  const unreachable = follow(server);
  await unreachable.clock.advance(2 * maxSilenceMs);
  expect(await unreachable.result).toMatchObject({ kind: 'unreadable', build: { phase: 'running' } });
});

test.each([0, 1, 2])('an interruption after %i polls ends the waiting before the next one', async (count) => {
  const server = new TestServer();
  server.tasks = [{ oid: 'b1', status: 'building' }];
  const { clock, polls, result } = follow(server, { abortAfterPolls: count });
  await clock.advance(60_000);
  expect(await result).toMatchObject({ kind: 'aborted', build: { phase: 'running' } });
  expect([polls.length, server.pollCount, clock.timerCount]).toEqual([count, count, 0]);
});

test('an error of the program is not taken for an interruption', async () => {
  const { clock, result } = follow(new TestServer(), {
    getPollSettings: () => {
      throw new Error('no settings');
    },
  });
  const rejection = expect(result).rejects.toThrow('no settings');
  await clock.advance(60_000);
  await rejection;
});

test.each([
  [maxSilenceMs - 1, 2],
  [maxSilenceMs, 1],
])('after a silence of %i ms, the number of polls is %i', async (silenceMs, expectedCount) => {
  const [clock, server, error] = [new FakeClock(), new TestServer(), new TestFailure('503')];
  const start = clock.now();
  const source = {
    ...server.source(),
    // The connection breaks only after this time.
    list: async () => {
      clock.skip(Math.max(1, start + silenceMs - clock.now()));
      throw error;
    },
  };
  const { polls, result } = follow(server, { clock, buildApi: source });
  await clock.advance(5_000);
  await clock.advance(maxSilenceMs);
  expect(await result).toMatchObject({ kind: 'unreadable', error });
  expect(polls).toEqual(Array.from({ length: expectedCount }, () => error));
});
