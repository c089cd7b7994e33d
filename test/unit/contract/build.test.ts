import { describe, expect, test } from 'vitest';
import {
  type BuildTask,
  getBuildFailure,
  normalizeBuildType,
  findProblemInResponse,
  getBuildTaskDetails,
} from '../../../src/contract/build.ts';
import { mergeTasks } from '../../../src/builds/buildList.ts';
import { readRecorded } from '../../support/recorded.ts';
import { getFailure, json, createTestClient } from '../client/support.ts';

const task = readRecorded('DERIVED-build-task.json') as BuildTask;

test('the reason of a failed build is reported without the password of the connection', async () => {
  const error = {
    message: 'Login failed for jdbc:x://h/d?user=u&password=hunter2&ssl=true',
    table: 'Orders',
  };
  const { client } = createTestClient(
    json([
      { ...task, error },
      { ...task, oid: 'b', reason: 'Pwd=hunter2' },
    ]),
  );
  const [first = task, second = task] = (await client.builds.list()).value;
  expect(getBuildFailure(first)).toEqual({
    reason: 'Login failed for jdbc:x://h/d?user=u&password=••••••••&ssl=true',
    table: 'Orders',
  });
  expect(getBuildFailure(second)).toEqual({ reason: 'Pwd=••••••••' });
  const failingClient = createTestClient(json({ statusCode: 500, error: 'Pwd=hunter2' })).client;
  const failed = await getFailure(failingClient.builds.cancel({ buildId: 'b' }));
  expect(JSON.stringify(failed)).not.toContain('hunter2');
  expect(failed.message).not.toContain('hunter2');
});

describe('a build task of the contract', () => {
  test('is read with all of its fields', async () => {
    const { client } = createTestClient(json([task]));
    const [read] = (await client.builds.list()).value;
    expect(read).toEqual(task);
    expect(getBuildTaskDetails(task)).toEqual({
      title: 'Retail',
      buildType: 'by_table',
      rowLimit: undefined,
      source: 'rest',
      durationMs: 40_000,
      startedAt: Date.parse('2020-11-01T10:00:02Z'),
      completedAt: Date.parse('2020-11-01T10:00:42Z'),
    });
  });

  test.each([
    ['schema-changes', 'schema_changes'],
    ['by-table', 'by_table'],
    ['By-Table', 'by_table'],
    ['full', 'full'],
    ['publish', 'publish'],
    ['something-new', 'something-new'],
  ])('the build type %s is normalized to %s', (word, expected) => {
    expect(normalizeBuildType(word)).toBe(expected);
  });

  test('fields of unexpected types are ignored', async () => {
    const taskWithOddTypes = {
      ...task,
      buildType: 7,
      source: null,
      rowLimit: 'x',
      started: 5,
      completed: 'never',
    };
    const { client } = createTestClient(json(taskWithOddTypes));
    expect((await client.builds.get({ buildId: task.oid })).value).toEqual(taskWithOddTypes);
    expect(getBuildTaskDetails(taskWithOddTypes as unknown as BuildTask)).toMatchObject({
      buildType: undefined,
      source: undefined,
      durationMs: undefined,
      completedAt: undefined,
    });
  });

  test('is merged into the tracked builds with its title, type, source and duration', () => {
    const running = { ...task, status: 'building', completed: null };
    const [firstSeen] = mergeTasks([], [running], { connectionId: 'c', now: 1_000 });
    expect(firstSeen).toMatchObject({ datamodelTitle: 'Retail', buildType: 'by_table', source: 'rest' });
    const [ended] = mergeTasks(firstSeen === undefined ? [] : [firstSeen], [task], {
      connectionId: 'c',
      now: 9_000,
    });
    expect(ended).toMatchObject({ phase: 'done', serverMs: 40_000 });
  });

  test('a single task is returned in a list of builds', async () => {
    const other = { ...task, oid: 'other' };
    const { client } = createTestClient(json({ builds: [other, task] }));
    expect((await client.builds.get({ buildId: task.oid })).value).toEqual(task);
    expect(await getFailure(client.builds.get({ buildId: 'gone' }))).toMatchObject({ isNotFound: true });
  });
});

describe('the response to a cancellation', () => {
  const cancel = (body: unknown, status = 200) => {
    const { client } = createTestClient(body === undefined ? { status } : json(body, status));
    return client.builds.cancel({ buildId: 'b' });
  };

  test.each([
    [undefined, 204],
    [{}, 200],
    [{ status: 'OK', statusCode: 200 }, 200],
    [{ status: 'OK', statusCode: 200, error: null }, 200],
    [{ status: 'OK', statusCode: 204, error: '' }, 200],
    [{ oid: 'b', status: 'cancelled' }, 200],
    [{ oid: 'b', status: 'failed', error: 'the build had failed before' }, 200],
    [{ status: 'cancelled' }, 200],
    [{ status: 'CANCELED' }, 200],
    [{ status: 'OK' }, 200],
  ])('%j with the status %i is a success', async (body, status) => {
    expect((await cancel(body, status)).value).toBeUndefined();
  });

  test.each([
    [{ status: 'CUBE_IS_BUSY', statusCode: 409, error: 'The cube is busy' }, 409, 'The cube is busy'],
    [{ status: 'FAILED_TO_CANCEL_WHILE_FINALIZING' }, 400, 'FAILED_TO_CANCEL_WHILE_FINALIZING'],
    [{ status: 'ERROR' }, 400, 'ERROR'],
    [{ status: 'FAILED' }, 400, 'FAILED'],
    [{ status: 'OK', statusCode: 500 }, 500, 'OK'],
    [{ error: 'no such build' }, 400, 'no such build'],
    [{ statusCode: 404 }, 404, '404'],
  ])('%j with the status 200 is an error', async (body, status, serverMessage) => {
    expect(await getFailure(cancel(body))).toMatchObject({ name: 'HttpError', status, serverMessage });
    const { client } = createTestClient(json(body));
    expect(await getFailure(client.builds.cancelAll({ datamodelId: 'm' }))).toMatchObject({ serverMessage });
  });

  test('a body of another type contains no problem', () => {
    expect(['text', 7, null, [], [{ error: 'x' }]].map(findProblemInResponse)).toEqual(
      Array.from({ length: 5 }),
    );
  });
});
