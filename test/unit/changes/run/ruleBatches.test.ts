import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RuleBatchReport, writeRuleBatches } from '../../../../src/changes/run/ruleBatches.ts';
import { createCubeRuleWriter, createLiveRuleWriter } from '../../../../src/changes/run/ruleWriters.ts';
import { TransportFailure, type TransportRequest } from '../../../../src/client/transport.ts';
import type { FakeClock } from '../../../fakes/fakeClock.ts';
import type { MemoryResponse } from '../../../fakes/memoryTransport.ts';
import { getFailure, json, createTestClient } from '../../client/support.ts';

type Rule = Record<string, unknown>;
const cube = { server: 'LocalHost', elasticube: 'Retail' };
const createRule = (member: string, overrides: Rule = {}): Rule => ({
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: [member],
  allMembers: null,
  shares: [{ party: 'u', type: 'user' }],
  ...overrides,
});
const createRules = (count: number, overrides?: Rule): Rule[] =>
  Array.from({ length: count }, (_each, index) => createRule(`m${index}`, overrides));

/** What happens to a POST: whether its rules are stored, and the response. */
interface PostResult {
  readonly isStored: boolean;
  readonly response: MemoryResponse;
}
const success: PostResult = { isStored: true, response: { status: 201 } };

/** An instance with one list of rules; `handlePost` decides about each POST by its number and its body. */
function createInstance(
  handlePost: (post: number, posted: readonly Rule[]) => PostResult = () => success,
  before: readonly Rule[] = [],
) {
  const storedRules: Rule[] = [...before];
  const posts: (readonly Rule[])[] = [];
  const handler = ({ method, body }: TransportRequest): MemoryResponse => {
    if (method === 'GET') {
      return json(storedRules.map((each, index) => ({ ...each, _id: `id${index}` })));
    }
    const posted = JSON.parse(body ?? '[]') as Rule[];
    posts.push(posted);
    const { isStored: store, response } = handlePost(posts.length, posted);
    storedRules.push(...(store ? posted : []));
    return response;
  };
  const { client, clock, transport } = createTestClient(handler);
  return {
    client,
    clock,
    transport,
    storedRules,
    posts,
    writer: createCubeRuleWriter(client, cube),
  };
}

/** Runs the timers until the run has ended. */
async function advanceUntilSettled<T>(run: Promise<T>, clock: FakeClock): Promise<T> {
  const state = { isEnded: false };
  const watched = run.finally(() => {
    state.isEnded = true;
  });
  for (let turn = 0; turn < 2000 && !state.isEnded; turn += 1) {
    await clock.advance(1000);
  }
  return watched;
}

const summarize = ({ written, failed, notSent, inDoubt }: RuleBatchReport) => ({
  written,
  failed: failed.map(({ index, error }) => [index, error.name]),
  notSent,
  inDoubt,
});

describe('splitting [spec: rule.bulk-size]', () => {
  test('fills requests up to the byte limit, in UTF-8', async () => {
    const { writer, clock, transport, posts } = createInstance();
    const largeRules = Array.from({ length: 10 }, () => createRule('ü'.repeat(200)));
    const report = await writeRuleBatches(writer, largeRules, { maxBytes: 1200, clock });
    expect(summarize(report)).toMatchObject({
      written: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      failed: [],
      notSent: [],
    });
    expect(posts.map((each) => each.length)).toEqual([2, 2, 2, 2, 2]);
    const sizes = transport.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => Buffer.byteLength(body ?? ''));
    expect(sizes).toHaveLength(5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1200);
    // Counted in characters, a third rule would have fitted.
    expect(JSON.stringify(largeRules.slice(0, 3)).length).toBeLessThan(1200);
  });

  test('uses the byte limit to the last byte, and not one more', async () => {
    const rules = createRules(3);
    const bytes = Buffer.byteLength(JSON.stringify(rules));
    for (const [maxBytes, expected] of [
      [bytes, [3]],
      [bytes - 1, [2, 1]],
    ] as const) {
      const { writer, clock, transport, posts } = createInstance();
      await writeRuleBatches(writer, rules, { maxBytes, clock });
      expect(posts.map((each) => each.length)).toEqual(expected);
      const [firstPost] = transport.requests.filter(({ method }) => method === 'POST');
      expect(Buffer.byteLength(firstPost?.body ?? '')).toBeLessThanOrEqual(maxBytes);
    }
  });

  test('a batch that is too large (413) is halved, and a single rule that is too large has its own error', async () => {
    const { writer, clock, posts } = createInstance((_post, posted) =>
      posted.length > 2 || posted.some(({ table }) => table === 'Huge')
        ? { isStored: false, response: { status: 413 } }
        : success,
    );
    const list = [...createRules(6), createRule('x', { table: 'Huge' })];
    const progress: number[] = [];
    const report = await writeRuleBatches(writer, list, {
      maxBytes: 1e6,
      clock,
      onProgress: ({ done }) => progress.push(done),
    });
    expect(summarize(report)).toEqual({
      written: [0, 1, 2, 3, 4, 5],
      failed: [[6, 'RuleTooLargeError']],
      notSent: [],
      inDoubt: [],
    });
    expect(report.failed[0]?.error).toMatchObject({ code: 'rule-too-large', remedy: 'make-smaller' });
    expect(posts.map((each) => each.length)).toEqual([7, 4, 2, 2, 3, 2, 1]);
    expect(progress).toEqual([0, 0, 2, 4, 4, 6, 7]);
  });
});

describe('an ambiguous response', () => {
  const gatewayTimeout = { status: 504 };

  test('504 after everything was stored: nothing is sent again', async () => {
    const { writer, clock, storedRules, posts } = createInstance(() => ({
      isStored: true,
      response: gatewayTimeout,
    }));
    const report = await advanceUntilSettled(
      writeRuleBatches(writer, createRules(4), { maxBytes: 1e6, clock }),
      clock,
    );
    expect(report.written).toEqual([0, 1, 2, 3]);
    expect(storedRules).toHaveLength(4);
    expect(posts).toHaveLength(1);
  });

  test('504 before anything was stored: the batch is halved', async () => {
    const { writer, clock, storedRules, posts } = createInstance((_post, posted) =>
      posted.length > 2 ? { isStored: false, response: gatewayTimeout } : success,
    );
    const report = await advanceUntilSettled(
      writeRuleBatches(writer, createRules(5), { maxBytes: 1e6, clock }),
      clock,
    );
    expect(report.written).toEqual([0, 1, 2, 3, 4]);
    expect(storedRules).toHaveLength(5);
    expect(posts.map((each) => each.length)).toEqual([5, 3, 2, 1, 2]);
  });

  test('504 on a server that finishes later: reads continue until two agree', async () => {
    const storedRules: Rule[] = [];
    const posted: Rule[][] = [];
    let readCount = 0;
    const { client, clock } = createTestClient(({ method, body }) => {
      if (method === 'POST') {
        posted.push(JSON.parse(body ?? '[]') as Rule[]);
        return gatewayTimeout;
      }
      // The first read is before anything is sent; from the second after the POST on, rules appear one by one.
      readCount += 1;
      const lateRule = posted[0]?.[readCount - 3];
      storedRules.push(...(lateRule === undefined ? [] : [lateRule]));
      return json(storedRules);
    });
    const run = writeRuleBatches(createCubeRuleWriter(client, cube), createRules(4), {
      maxBytes: 1e6,
      clock,
    });
    expect((await advanceUntilSettled(run, clock)).written).toEqual([0, 1, 2, 3]);
    expect(storedRules).toHaveLength(4);
    expect(posted).toHaveLength(1);
  });

  test('existing rules, even equal ones, are not mistaken for the new ones', async () => {
    const { writer, clock, storedRules } = createInstance(
      (post) => (post === 1 ? { isStored: false, response: gatewayTimeout } : success),
      [createRule('m0'), createRule('m1')],
    );
    const report = await advanceUntilSettled(
      writeRuleBatches(writer, createRules(2), { maxBytes: 1e6, clock }),
      clock,
    );
    expect(report.written).toEqual([0, 1]);
    expect(storedRules).toHaveLength(4);
  });

  test('rules that were stored are recognized, in any order and spelling, and not sent again', async () => {
    const reorderedRule = createRule('m1', {
      members: ['b', 'a'],
      shares: [{ partyId: 'u', partyName: 'U', type: 'user' }],
    });
    const { writer, clock, storedRules } = createInstance((post, posted) => {
      if (post === 1) {
        storedRules.push(reorderedRule);
        return { isStored: false, response: gatewayTimeout };
      }
      expect(posted.map(({ members }) => members)).toEqual([['m0']]);
      return success;
    });
    const list = [createRule('m0', { column: 'Other' }), createRule('m1', { members: ['a', 'b'] })];
    const report = await advanceUntilSettled(writeRuleBatches(writer, list, { maxBytes: 1e6, clock }), clock);
    expect(report.written).toEqual([0, 1]);
    expect(storedRules).toHaveLength(2);
  });

  test('new rules on the same column with other content leave the batch in doubt', async () => {
    const { writer, clock, storedRules, posts } = createInstance(() => {
      storedRules.push(createRule('m0', { shares: [] }));
      return { isStored: false, response: gatewayTimeout };
    });
    const report = await advanceUntilSettled(
      writeRuleBatches(writer, createRules(2), { maxBytes: 1e6, clock }),
      clock,
    );
    expect(summarize(report)).toEqual({ written: [], failed: [], notSent: [], inDoubt: [0, 1] });
    expect(report.stoppedBy).toMatchObject({ status: 504 });
    expect(posts).toHaveLength(1);
  });

  test('a broken connection: stored rules count, the rest failed, and the run stops', async () => {
    const { writer, clock, storedRules } = createInstance((_post, posted) => {
      storedRules.push(...posted.slice(0, 1));
      return { isStored: false, response: new TransportFailure('reset', { mayHaveBeenSent: true }) };
    });
    const list = [
      createRule('a', { column: 'A' }),
      createRule('b', { column: 'B' }),
      createRule('c', { column: 'C'.repeat(500) }),
    ];
    const report = await advanceUntilSettled(writeRuleBatches(writer, list, { maxBytes: 500, clock }), clock);
    expect(summarize(report)).toEqual({
      written: [0],
      failed: [[1, 'NetworkError']],
      notSent: [2],
      inDoubt: [],
    });
  });

  test('when the rules cannot be read again, the batch is in doubt, and a resume reads before it sends', async () => {
    let isDown = false;
    const { storedRules } = createInstance();
    const posts: number[] = [];
    const { client, clock } = createTestClient(({ method, body }) => {
      if (isDown) {
        return json({}, 500);
      }
      if (method === 'GET') {
        return json(storedRules);
      }
      const posted = JSON.parse(body ?? '[]') as Rule[];
      posts.push(posted.length);
      storedRules.push(...posted);
      isDown = posts.length === 2;
      return isDown ? { status: 504 } : json([], 201);
    });
    const writer = createCubeRuleWriter(client, cube);
    const options = { maxBytes: 280, clock };
    const first = await advanceUntilSettled(writeRuleBatches(writer, createRules(6), options), clock);
    expect(summarize(first)).toEqual({ written: [0, 1], failed: [], notSent: [4, 5], inDoubt: [2, 3] });
    isDown = false;
    const second = await advanceUntilSettled(writeRuleBatches(writer, createRules(6), options, first), clock);
    expect(summarize(second)).toEqual({ written: [0, 1, 2, 3, 4, 5], failed: [], notSent: [], inDoubt: [] });
    expect(storedRules).toHaveLength(6);
    expect(posts).toEqual([2, 2, 2]);
  });
});

describe('stopping and continuing', () => {
  test('a clear rejection fails its batch, the others are sent', async () => {
    const { writer, clock } = createInstance((post) =>
      post === 1 ? { isStored: false, response: json({ title: 'Bad' }, 400) } : success,
    );
    const report = await writeRuleBatches(writer, createRules(4), { maxBytes: 280, clock });
    expect(summarize(report)).toEqual({
      written: [2, 3],
      failed: [
        [0, 'HttpError'],
        [1, 'HttpError'],
      ],
      notSent: [],
      inDoubt: [],
    });
  });

  test.each([
    ['401', { status: 401 }, { name: 'HttpError', status: 401 }],
    ['403', { status: 403 }, { name: 'HttpError', status: 403 }],
    ['429', { status: 429, headers: { 'retry-after': '5' } }, { name: 'HttpError', retryAfterMs: 5000 }],
    [
      'no connection',
      new TransportFailure('refused', { mayHaveBeenSent: false }),
      { name: 'NetworkError', kind: 'refused' },
    ],
  ] as const)('%s stops: nothing else would succeed', async (_name, response, reason) => {
    const { writer, clock, posts } = createInstance((post) =>
      post === 2 ? { isStored: false, response } : success,
    );
    const report = await writeRuleBatches(writer, createRules(6), { maxBytes: 280, clock });
    expect(summarize(report)).toEqual({ written: [0, 1], failed: [], notSent: [2, 3, 4, 5], inDoubt: [] });
    expect(report.stoppedBy).toMatchObject(reason);
    const resumedReport = await writeRuleBatches(writer, createRules(6), { maxBytes: 280, clock }, report);
    expect(resumedReport.written).toEqual([0, 1, 2, 3, 4, 5]);
    expect(posts).toHaveLength(4);
  });

  test('a canceled run ends between two requests and reports what was not sent', async () => {
    const controller = new AbortController();
    const { writer, clock } = createInstance((post) => {
      if (post === 2) {
        controller.abort();
      }
      return success;
    });
    const report = await writeRuleBatches(writer, createRules(6), {
      maxBytes: 280,
      clock,
      signal: controller.signal,
    });
    expect(summarize(report)).toEqual({ written: [0, 1, 2, 3], failed: [], notSent: [4, 5], inDoubt: [] });
    expect(report.stoppedBy).toBeUndefined();
  });

  test('a rule that violates the guide fails on its own, before anything is sent', async () => {
    const { writer, clock } = createInstance();
    const report = await writeRuleBatches(
      writer,
      [createRule('a'), createRule('b', { table: '' }), createRule('c')],
      {
        maxBytes: 1e6,
        clock,
      },
    );
    expect(summarize(report)).toEqual({
      written: [0, 2],
      failed: [[1, 'PayloadError']],
      notSent: [],
      inDoubt: [],
    });
  });

  test('nothing is sent when the existing rules cannot be read', async () => {
    const { client, clock, transport } = createTestClient(json({}, 403));
    const run = writeRuleBatches(createCubeRuleWriter(client, cube), createRules(2), {
      maxBytes: 1e6,
      clock,
    });
    expect(await getFailure(run)).toMatchObject({ status: 403 });
    expect(transport.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('without rules, no request is sent', async () => {
    const { writer, clock, transport } = createInstance();
    expect(summarize(await writeRuleBatches(writer, [], { maxBytes: 1, clock })).written).toEqual([]);
    expect(transport.requests).toEqual([]);
  });
});

test('rules are written to live datamodels, too', async () => {
  const live = createInstance((post) =>
    post === 1 ? { isStored: true, response: { status: 504 } } : success,
  );
  const run = writeRuleBatches(createLiveRuleWriter(live.client, { title: 'L' }), createRules(2), {
    maxBytes: 1e6,
    clock: live.clock,
  });
  expect((await advanceUntilSettled(run, live.clock)).written).toEqual([0, 1]);
  expect(live.storedRules).toHaveLength(2);
});

test('property: whatever happens to each request, every rule is accounted for and none is written twice', async () => {
  const postResults = fc.array(
    fc.record({
      store: fc.boolean(),
      kind: fc.constantFrom(201, 201, 413, 504, 500, 403, 400, 'reset' as const),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(
      postResults,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 200, max: 1500 }),
      async (list, count, maxBytes) => {
        const { writer, clock, storedRules } = createInstance((post) => {
          const { store, kind } = list[(post - 1) % list.length] ?? { store: true, kind: 201 };
          const isClearRejection = kind === 413 || kind === 403 || kind === 400;
          const response =
            kind === 'reset' ? new TransportFailure('reset', { mayHaveBeenSent: true }) : { status: kind };
          return { isStored: kind === 201 || (store && !isClearRejection), response };
        });
        // Each on its own column, so that a read is never in doubt.
        const allRules = createRules(count).map((each, index) => ({ ...each, column: `C${index}` }));
        let report = await advanceUntilSettled(
          writeRuleBatches(writer, allRules, { maxBytes, clock }),
          clock,
        );
        for (let resume = 0; resume < 20 && report.notSent.length > 0; resume += 1) {
          report = await advanceUntilSettled(
            writeRuleBatches(writer, allRules, { maxBytes, clock }, report),
            clock,
          );
        }
        const { written, failed, notSent, inDoubt } = report;
        const reportedIndexes = [...written, ...failed.map(({ index }) => index), ...notSent, ...inDoubt];
        expect(reportedIndexes.toSorted((a, b) => a - b)).toEqual(allRules.map((_each, index) => index));
        expect(storedRules).toHaveLength(written.length);
        expect(new Set(storedRules.map(({ column }) => column))).toEqual(
          new Set(written.map((index) => `C${index}`)),
        );
      },
    ),
    { numRuns: 200 },
  );
});
