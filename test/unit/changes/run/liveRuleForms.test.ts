import { describe, expect, test } from 'vitest';
import { writeRuleBatches } from '../../../../src/changes/run/ruleBatches.ts';
import { createLiveRuleWriter } from '../../../../src/changes/run/ruleWriters.ts';
import { PartlyCreatedError } from '../../../../src/client/errors.ts';
import { TransportFailure, type TransportRequest } from '../../../../src/client/transport.ts';
import type { MemoryResponse } from '../../../fakes/memoryTransport.ts';
import { readRecorded } from '../../../support/recorded.ts';
import { getFailure, json, createTestClient } from '../../client/support.ts';

type Rule = Record<string, unknown>;

const title = 'Sales';
const createRule = (member: string, overrides: Rule = {}): Rule => ({
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: [member],
  allMembers: null,
  shares: [{ partyId: member, type: 'user' }],
  ...overrides,
});
const createRules = (count: number): Rule[] =>
  Array.from({ length: count }, (_each, index) => createRule(`m${index}`));

interface Server {
  /** The forms of the body that the path without `addMany` accepts. */
  acceptedForms: 'object' | 'array' | 'both';
  hasAddMany: boolean;
  /** Responses by the number of the POST, from 1. With `lost`, the rules are stored and the response is lost. */
  faults?: Readonly<Record<number, MemoryResponse & { readonly lost?: true }>>;
  /** Returns the response that rejects a rule, or nothing if the rule is stored. */
  getRejection?: (rule: Rule) => MemoryResponse | undefined;
}

const rejectForm = (expectedType: string): MemoryResponse =>
  json({ error: { code: 400, message: `Expected type ${expectedType}` } }, 400);

/** An instance with the rules of one live datamodel. */
function createInstance(server: Server) {
  const storedRules: Rule[] = [];
  const posts: string[] = [];
  const store = (posted: readonly Rule[]): MemoryResponse => {
    const createdRules = posted.map((each, index) => ({ ...each, _id: `id${storedRules.length + index}` }));
    storedRules.push(...createdRules);
    return json(createdRules, 201);
  };
  const { client, clock, transport } = createTestClient(
    ({ method, url, body }: TransportRequest): MemoryResponse => {
      if (method === 'GET') {
        return json(storedRules);
      }
      const isMany = new URL(url).pathname.endsWith('/addMany');
      const sent = JSON.parse(body ?? 'null') as Rule | readonly Rule[];
      const posted = (Array.isArray(sent) ? sent : [sent]) as readonly Rule[];
      posts.push(`${isMany ? 'many' : Array.isArray(sent) ? 'array' : 'object'} ${posted.length}`);
      const fault = server.faults?.[posts.length];
      if (fault !== undefined) {
        if (!(fault instanceof Error) && fault.lost === true) {
          store(posted);
          return new TransportFailure('reset', { mayHaveBeenSent: true });
        }
        return fault;
      }
      if (isMany && !server.hasAddMany) {
        return { status: 404, body: '<html>Cannot POST</html>', headers: { 'content-type': 'text/html' } };
      }
      if (
        !isMany &&
        server.acceptedForms !== 'both' &&
        (server.acceptedForms === 'array') !== Array.isArray(sent)
      ) {
        return rejectForm(server.acceptedForms);
      }
      const refusal = posted.map((each) => server.getRejection?.(each)).find((each) => each !== undefined);
      if (refusal !== undefined) {
        return refusal;
      }
      const response = store(posted);
      // The contract responds to one object with one object.
      return isMany || Array.isArray(sent) || server.acceptedForms === 'both'
        ? response
        : json(storedRules.at(-1), 201);
    },
  );
  const create = (newRules: readonly Rule[]) => client.liveRules.create({ title }, newRules);
  return { client, clock, transport, storedRules, posts, create, server };
}

const createContractServer = (overrides: Partial<Server> = {}): Server => ({
  acceptedForms: 'object',
  hasAddMany: true,
  ...overrides,
});
const createGuideServer = (overrides: Partial<Server> = {}): Server => ({
  acceptedForms: 'array',
  hasAddMany: false,
  ...overrides,
});

describe.each([
  ['one object and addMany', createContractServer(), ['object 1', 'object 1', 'many 3', 'many 2']],
  [
    'one object alone',
    createContractServer({ hasAddMany: false }),
    ['object 1', 'object 1', 'many 3', 'object 1', 'object 1', 'object 1', 'object 1', 'object 1'],
  ],
  ['an array', createGuideServer(), ['object 1', 'array 1', 'array 1', 'array 3', 'array 2']],
  ['either', createGuideServer({ acceptedForms: 'both' }), ['object 1', 'array 1', 'array 3', 'array 2']],
])('a server that accepts %s', (_name, server, expected) => {
  test('is detected only once, and each response is a list in the order of the body', async () => {
    const { create, posts, storedRules } = createInstance({ ...server });
    const responses = [];
    for (const newRules of [[createRule('a')], [createRule('b')], createRules(3), createRules(2)]) {
      responses.push(await create(newRules));
    }
    expect(posts).toEqual(expected);
    expect(storedRules).toHaveLength(7);
    expect(responses.map(({ value }) => value?.map(({ members }) => members?.[0]))).toEqual([
      ['a'],
      ['b'],
      ['m0', 'm1', 'm2'],
      ['m0', 'm1'],
    ]);
    expect(responses.map(({ text, json: body }) => [JSON.parse(text), body])).toEqual(
      responses.map(({ value }) => [value, value]),
    );
  });
});

describe('several rules on an unknown server', () => {
  test.each([
    [createContractServer(), ['many 4'], ['many 4']],
    [
      createContractServer({ hasAddMany: false }),
      ['many 4', 'object 1', 'object 1', 'object 1', 'object 1'],
      undefined,
    ],
    [createGuideServer(), ['many 4', 'object 1', 'array 1', 'array 3'], ['array 4']],
  ])('are sent to %j as %j', async (server, expected, laterPosts) => {
    const { create, posts, storedRules } = createInstance({ ...server });
    expect((await create(createRules(4))).value?.map(({ _id }) => _id)).toEqual(['id0', 'id1', 'id2', 'id3']);
    expect(posts).toEqual(expected);
    expect(storedRules.map(({ members }) => members)).toEqual([['m0'], ['m1'], ['m2'], ['m3']]);
    await create(createRules(4));
    expect(posts.slice(expected.length)).toEqual(
      laterPosts ?? ['object 1', 'object 1', 'object 1', 'object 1'],
    );
  });

  test('a missing datamodel is requested twice and reported', async () => {
    const notFoundResponse = json({ error: { code: 404, message: 'Live elasticube not found' } }, 404);
    const { create, posts, client } = createInstance(
      createContractServer({ faults: { 1: notFoundResponse, 2: notFoundResponse } }),
    );
    expect(await getFailure(create(createRules(2)))).toMatchObject({ code: 'not-found' });
    expect(posts).toEqual(['many 2', 'object 1']);
    expect(client.capabilities).toEqual({});
  });

  test('one rule that must not be sent prevents the whole request', async () => {
    const { create, posts } = createInstance(createContractServer({ hasAddMany: false }));
    const call = create([createRule('a'), createRule('b', { fullname: 'live:Other' })]);
    expect((await getFailure(call)).message).toContain('fullname-mismatch at 1.fullname');
    expect(posts).toEqual([]);
  });
});

describe('a rejection', () => {
  const createCodedRejection = (code: number) => json({ error: { code, message: 'no' } }, 400);

  test.each([30001, 30003, 30004])('with the code %i is about the rule and is final', async (code) => {
    const { create, posts } = createInstance(
      createContractServer({ getRejection: () => createCodedRejection(code) }),
    );
    expect(await getFailure(create([createRule('a')]))).toMatchObject({ platformCode: code });
    expect(posts).toEqual(['object 1']);
  });

  test('with a code shows that the form was accepted', async () => {
    const { create, posts, client } = createInstance(
      createGuideServer({ getRejection: () => createCodedRejection(30004) }),
    );
    expect(await getFailure(create([createRule('a')]))).toMatchObject({ platformCode: 30004 });
    expect(posts).toEqual(['object 1', 'array 1']);
    expect(client.capabilities.liveRuleForm).toBe('array');
  });

  test('reports the error about the rule, not the error about a form that was only tried', async () => {
    const getRejection = () => json({ error: { message: 'Unknown table' } }, 400);
    for (const server of [createContractServer({ getRejection }), createGuideServer({ getRejection })]) {
      const { create, storedRules } = createInstance(server);
      expect(await getFailure(create([createRule('a')]))).toMatchObject({ serverMessage: 'Unknown table' });
      expect(storedRules).toEqual([]);
    }
  });

  test('is followed by one attempt with the other form, and later rejections by none until something is written', async () => {
    const getRejection = ({ table }: Rule) =>
      table === 'X' ? json({ error: { message: 'bad' } }, 400) : undefined;
    const { create, posts } = createInstance(createContractServer({ getRejection }));
    await create([createRule('a')]);
    await getFailure(create([createRule('b', { table: 'X' })]));
    await getFailure(create([createRule('b', { table: 'X' })]));
    expect(posts).toEqual(['object 1', 'object 1', 'array 1', 'object 1']);
  });

  test.each([401, 403, 404, 413, 429, 500])('with the status %i is not about the form', async (status) => {
    const { create, posts } = createInstance(createContractServer({ faults: { 1: json({}, status) } }));
    await getFailure(create([createRule('a')]));
    expect(posts).toEqual(['object 1']);
  });

  test('with the status 500 is not retried automatically, and the next attempt uses the other form', async () => {
    const { create, posts } = createInstance(createGuideServer({ faults: { 1: json({}, 500) } }));
    await getFailure(create([createRule('a')]));
    await create([createRule('a')]);
    expect(posts).toEqual(['object 1', 'array 1']);
  });
});

describe('a server that changes its form', () => {
  test('from an array to single objects', async () => {
    const { create, posts, storedRules, server } = createInstance(createGuideServer());
    await create([createRule('a')]);
    server.acceptedForms = 'object';
    await create(createRules(3));
    await create([createRule('b')]);
    expect(posts.slice(2)).toEqual(['array 3', 'many 3', 'object 1', 'object 1', 'object 1', 'object 1']);
    expect(storedRules).toHaveLength(5);
  });

  test('from single objects and addMany to an array', async () => {
    const { create, posts, storedRules, server } = createInstance(createContractServer());
    await create(createRules(2));
    Object.assign(server, createGuideServer());
    await create(createRules(2));
    await create(createRules(2));
    expect(posts).toEqual(['many 2', 'many 2', 'object 1', 'array 1', 'array 1', 'array 2']);
    expect(storedRules).toHaveLength(6);
  });
});

describe('a lost response', () => {
  const lost = { lost: true } as const;

  test.each([
    ['of one rule', createContractServer({ faults: { 1: lost } }), 1, ['object 1']],
    ['of addMany', createContractServer({ faults: { 1: lost } }), 3, ['many 3']],
    [
      'of the first of several',
      createContractServer({ hasAddMany: false, faults: { 2: lost } }),
      3,
      ['many 3', 'object 1'],
    ],
    [
      'of the array that follows an object',
      createGuideServer({ faults: { 2: lost } }),
      1,
      ['object 1', 'array 1'],
    ],
  ])('%s is not followed by another request', async (_name, server, count, expected) => {
    const { create, posts } = createInstance(server);
    expect(await getFailure(create(createRules(count)))).toMatchObject({ mayHaveTakenEffect: true });
    expect(posts).toEqual(expected);
  });
});

describe('a failure in the middle of several rules', () => {
  const createFailingInstance = (fault: MemoryResponse & { readonly lost?: true }) =>
    createInstance(createContractServer({ hasAddMany: false, faults: { 4: fault } }));

  test('reports what was written, what failed and why', async () => {
    const { create, storedRules } = createFailingInstance(
      json({ error: { code: 30004, message: 'no' } }, 400),
    );
    const error = await getFailure(create(createRules(5)));
    expect(error).toBeInstanceOf(PartlyCreatedError);
    expect(error).toMatchObject({
      writtenCount: 2,
      failedCount: 1,
      mayHaveTakenEffect: true,
      code: 'rejected',
      writtenRules: [{ _id: 'id0' }, { _id: 'id1' }],
      failure: { platformCode: 30004, mayHaveTakenEffect: false },
    });
    expect(storedRules).toHaveLength(2);
  });

  const run = async (fixture: ReturnType<typeof createInstance>, count: number) => {
    const writing = writeRuleBatches(createLiveRuleWriter(fixture.client, { title }), createRules(count), {
      maxBytes: 1e6,
      clock: fixture.clock,
      halvesRejectedBatches: true,
      verifyDelayMs: 0,
    });
    const state = { isEnded: false };
    const watched = writing.finally(() => {
      state.isEnded = true;
    });
    for (let turn = 0; turn < 200 && !state.isEnded; turn += 1) {
      await fixture.clock.advance(1000);
    }
    return watched;
  };

  test('a batch continues after a rejected rule, and writes none twice', async () => {
    const instance = createFailingInstance(json({ error: { code: 30004, message: 'no' } }, 400));
    const report = await run(instance, 5);
    expect(report).toMatchObject({ written: [0, 1, 3, 4], notSent: [], inDoubt: [], stoppedBy: undefined });
    expect(report.failed).toMatchObject([{ index: 2, error: { platformCode: 30004 } }]);
    expect(instance.storedRules.map(({ members }) => members)).toEqual([['m0'], ['m1'], ['m3'], ['m4']]);
  });

  test('a batch finds a rule whose response was lost, and continues', async () => {
    const instance = createFailingInstance({ lost: true });
    const report = await run(instance, 5);
    expect(report.written).toEqual([0, 1, 2, 3, 4]);
    expect(instance.storedRules).toHaveLength(5);
  });

  test('a batch stops when the server accepts nothing more, and reports the unsent rules', async () => {
    const instance = createFailingInstance(json({}, 403));
    const report = await run(instance, 5);
    expect(report).toMatchObject({ written: [0, 1], notSent: [2, 3, 4], stoppedBy: { status: 403 } });
  });

  test('a batch that can be stopped sends no more at once than it needs to detect the form', async () => {
    const instance = createInstance(createContractServer({ hasAddMany: false }));
    const controller = new AbortController();
    const report = await writeRuleBatches(createLiveRuleWriter(instance.client, { title }), createRules(60), {
      maxBytes: 1e6,
      clock: instance.clock,
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done >= 22) {
          controller.abort();
        }
      },
    });
    expect(report.written).toHaveLength(22);
    expect(report.notSent).toHaveLength(38);
  });
});

describe('a response that does not contain the created rules has no value and does not determine the form:', () => {
  test.each([
    ['nothing', ''],
    ['words', 'Created'],
    ['another number of rules', JSON.stringify([createRule('a'), createRule('b')])],
    ['the rule of another column', JSON.stringify(createRule('a', { column: 'D' }))],
  ])('%s', async (_name, body) => {
    const { client } = createTestClient({ status: 201, body });
    const response = await client.liveRules.create({ title }, [createRule('a')]);
    expect(response).toMatchObject({ value: undefined, text: '' });
    expect(client.capabilities.liveRuleForm).toBeUndefined();
  });
});

describe('the request', () => {
  test('contains one rule as the object that the vendor sends', async () => {
    const { create, transport } = createInstance(createContractServer());
    const sent = readRecorded('live-rule-post-body-single-object.json') as Rule;
    await create([{ ...sent, fullname: `live:${title}`, elasticube: title }]);
    expect(JSON.parse(transport.lastRequest.body ?? '')).toEqual({
      ...sent,
      fullname: `live:${title}`,
      elasticube: title,
    });
  });

  test('to addMany has all required fields, as the vendor sends it', async () => {
    const { client, transport } = createInstance(createContractServer());
    const [sent] = readRecorded('live-rule-addmany-body.json') as Rule[];
    const { exclusionary, allMembers, live, fullname, ...rest } = sent ?? {};
    expect([exclusionary, allMembers, live, fullname]).toEqual([false, true, true, 'live:<title>']);
    await client.liveRules.createMany({ title: '<title>' }, [{ ...rest, allMembers }]);
    // `exclusionary` is false where it is left out (platform-facts.md, 6.2).
    expect(JSON.parse(transport.lastRequest.body ?? '')).toEqual([{ ...rest, allMembers, live, fullname }]);
    await client.liveRules.createMany({ title }, [createRule('a')]);
    expect(JSON.parse(transport.lastRequest.body ?? '')).toMatchObject([{ allMembers: null, live: true }]);
  });

  test('contains a rule read from the server without the fields that the server generated', async () => {
    const { create, transport } = createInstance(createContractServer());
    await create([readRecorded('DERIVED-live-rule-get-item.json') as Rule]);
    const { _id, dataSourceId, ...rest } = readRecorded('DERIVED-live-rule-get-item.json') as Rule;
    expect([_id, dataSourceId]).not.toContain(undefined);
    expect(JSON.parse(transport.lastRequest.body ?? '')).toEqual(rest);
  });
});

describe('whether the server returns `exclusionary`', () => {
  const getDetectedCapability = async (...lists: readonly (readonly Rule[])[]) => {
    const { client } = createTestClient((_request, index) => json(lists[index] ?? []));
    for (const _list of lists) {
      await client.liveRules.list({ title });
    }
    return client.capabilities.returnsLiveExclusionary;
  };

  test('is unknown without rules, and remembered once a rule has it', async () => {
    const shown = readRecorded('DERIVED-live-rule-get-item.json') as Rule;
    expect(await getDetectedCapability([])).toBeUndefined();
    expect(await getDetectedCapability([createRule('a', { _id: 'r' })])).toBe(false);
    expect(await getDetectedCapability([createRule('a', { _id: 'r' })], [shown], [createRule('a')])).toBe(
      true,
    );
    expect(await getDetectedCapability([createRule('a', { exclusionary: false })])).toBe(true);
  });
});
