import { describe, expect, test } from 'vitest';
import { createSandbox, type TestSandbox } from './support.ts';

const path = '/api/v1/custom_data';

async function createFilledSandbox(): Promise<TestSandbox> {
  const sandbox = createSandbox();
  for (const object of [
    { app: 'notes', n: 1 },
    { app: 'tags', n: 2, deep: { list: [{ a: 1 }, { a: 2 }] } },
    { n: 3 },
  ]) {
    await sandbox.send('POST', path, object);
  }
  return sandbox;
}

const getQueryUrl = (filter: unknown): string =>
  `${path}/query?query=${encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter))}`;

test('POST stores any JSON object whole and gives it an _id (rest-api.md, "Custom data object"; platform-facts.md, 4)', async () => {
  const { send } = createSandbox();
  const reply = await send('POST', path, '{"big":12345678901234567890,"one":1.0,"nested":{"x":[null,true]}}');
  expect(reply.status).toBe(201);
  expect(reply.body._id).toMatch(/^[0-9a-f]{24}$/);
  expect((await send('GET', path)).text).toContain(
    '{"big":12345678901234567890,"one":1.0,"nested":{"x":[null,true]}',
  );
  for (const body of ['[]', '"x"', '1', 'null', '', '{"a":']) {
    expect((await send('POST', path, body)).status).toBe(400);
  }
});

test('a new object may have an _id that is not in use', async () => {
  const { send } = createSandbox();
  expect((await send('POST', path, { _id: 'mine', a: 1 })).body).toEqual({ _id: 'mine', a: 1 });
  expect((await send('POST', path, { _id: 'mine' })).status).toBe(400);
  expect((await send('POST', path, { _id: 7 })).status).toBe(400);
});

test('custom data is open to any caller with a token (rest-api.md, "Authentication" 4)', async () => {
  const { send } = createSandbox();
  expect((await send('POST', path, { a: 1 }, { as: 'user' })).status).toBe(201);
  expect((await send('GET', path, undefined, { as: 'user' })).body).toHaveLength(1);
  expect((await send('GET', path, undefined, { as: 'nobody' })).status).toBe(401);
});

describe('GET /query: the filter follows the find syntax (rest-api.md, "Custom data API")', () => {
  test.each<[unknown, number[]]>([
    [{ app: 'notes' }, [1]],
    [{ app: { $exists: true } }, [1, 2]],
    [{ app: { $exists: false } }, [3]],
    [{ n: { $gt: 1 } }, [2, 3]],
    [{ n: { $in: [1, 3] } }, [1, 3]],
    [{ $or: [{ n: 1 }, { app: 'tags' }] }, [1, 2]],
    [{ $nor: [{ n: 1 }] }, [2, 3]],
    [{ app: { $regex: '^no' } }, [1]],
    [{ 'deep.list.a': 2 }, [2]],
    [{ 'deep.list': { $elemMatch: { a: 2 } } }, [2]],
    [{ n: { $mod: [2, 1] } }, [1, 3]],
    [{ n: { $type: 'string' } }, []],
    [{ n: { $not: { $gte: 2 } } }, [1]],
    [{}, [1, 2, 3]],
  ])('%j', async (filter, expected) => {
    const { send } = await createFilledSandbox();
    const reply = await send('GET', getQueryUrl(filter));
    expect(reply.body.map(({ n }: { n: number }) => n)).toEqual(expected);
  });

  test.each([
    { n: { $nope: 1 } },
    { $nope: [] },
    { $where: 'true' },
    { $expr: { $gt: ['$n', 1] } },
    { n: { $in: 3 } },
    { app: { $regex: '(' } },
    '[]',
    '{"a":',
    '7',
    '',
  ])('%j is rejected', async (filter) => {
    const { send } = await createFilledSandbox();
    const reply = await send('GET', getQueryUrl(filter));
    expect(reply.status).toBe(400);
    expect(reply.body.error.status).toBe(400);
  });

  test('query is required', async () => {
    const { send } = await createFilledSandbox();
    expect((await send('GET', `${path}/query`)).status).toBe(400);
  });

  test('the problem names the query if it is not an object', async () => {
    const { send } = createSandbox();
    expect((await send('GET', getQueryUrl('7'))).body.error.message).toBe('query: expected an object');
  });

  test('an unknown operator is rejected even if nothing is stored', async () => {
    const { send } = createSandbox();
    expect((await send('GET', getQueryUrl({ n: { $nope: 1 } }))).status).toBe(400);
  });
});

describe('names that every JavaScript object inherits are ordinary names', () => {
  const texts = [
    '{"n":1,"__proto__":{"a":1},"constructor":"c","list":[{"__proto__":2}]}',
    '{"n":2,"toString":"t","hasOwnProperty":{"__proto__":{"x":1}}}',
    '{"n":3}',
  ];

  async function createSandboxWithInheritedNames(): Promise<TestSandbox> {
    const sandbox = createSandbox();
    for (const text of texts) {
      await sandbox.send('POST', path, text);
    }
    return sandbox;
  }

  test.each<[string, number[]]>([
    ['{"__proto__":{"a":1}}', [1]],
    ['{"__proto__":{"a":2}}', []],
    ['{"__proto__.a":1}', [1]],
    ['{"__proto__":{"$exists":true}}', [1]],
    ['{"__proto__":{"$exists":false}}', [2, 3]],
    ['{"constructor":"c"}', [1]],
    ['{"constructor":{"$exists":false}}', [2, 3]],
    ['{"constructor.name":{"$exists":true}}', []],
    ['{"toString":{"$exists":true}}', [2]],
    ['{"hasOwnProperty":{"__proto__":{"x":1}}}', [2]],
    ['{"hasOwnProperty":{}}', []],
    ['{"hasOwnProperty.__proto__.x":{"$in":[1,2]}}', [2]],
    ['{"list.__proto__":2}', [1]],
    ['{"list":{"$elemMatch":{"__proto__":2}}}', [1]],
    ['{"list":{"$elemMatch":{"__proto__":3}}}', []],
    ['{"$or":[{"__proto__":{"a":1}},{"toString":"t"}]}', [1, 2]],
    ['{"$nor":[{"__proto__":{"$exists":true}}]}', [2, 3]],
    ['{"n":{"$not":{"$in":[1,2]}},"valueOf":{"$exists":false}}', [3]],
    ['{"hasOwnProperty":{"$in":[{"__proto__":{"x":1}}]}}', [2]],
    ['{"list":{"$all":[{"$elemMatch":{"__proto__":{"$gt":1}}}]}}', [1]],
    ['{"list":{"$all":[{"__proto__":2}]}}', [1]],
    ['{"list.0.__proto__":2}', [1]],
    ['{"list.length":1}', []],
  ])('%s', async (filter, expected) => {
    const { send } = await createSandboxWithInheritedNames();
    const reply = await send('GET', getQueryUrl(filter));
    expect(reply.body.map(({ n }: { n: number }) => n)).toEqual(expected);
  });

  test('DELETE and PATCH affect only objects that match a filter with an inherited name', async () => {
    const { send } = await createSandboxWithInheritedNames();
    const changed = await send(
      'PATCH',
      `${path}/query`,
      '{"queryForSearch":{"__proto__":{"a":2}},"objectForUpdate":{"seen":true}}',
    );
    expect(changed.body).toEqual({ matched: 0, updated: 0 });
    expect((await send('DELETE', `${path}/query`, '{"__proto__":{"a":2}}')).body).toEqual({ deleted: 0 });
    expect((await send('DELETE', `${path}/query`, '{"__proto__":{"a":1}}')).body).toEqual({ deleted: 1 });
    expect((await send('GET', path)).body).toHaveLength(2);
  });
});

describe('PATCH /query', () => {
  test('merges at the root into all matches (decisions.md, "Sandbox"), and keeps all digits of numbers', async () => {
    const { send } = await createFilledSandbox();
    await send('POST', path, '{"app":"x","big":12345678901234567890}');
    const reply = await send('PATCH', `${path}/query`, {
      queryForSearch: { app: { $exists: true } },
      objectForUpdate: { deep: { other: 1 }, seen: true },
    });
    expect(reply.status).toBe(200);
    const { text, body } = await send('GET', path);
    expect(body.map((o: { seen?: boolean }) => o.seen)).toEqual([true, true, undefined, true]);
    expect(body[1]).toMatchObject({ app: 'tags', n: 2 });
    expect(body[1].deep).toEqual({ other: 1 });
    expect(text).toContain('"big":12345678901234567890');
  });

  test('queryForSearch and objectForUpdate are required objects (rest-api.md, "Custom data API")', async () => {
    const { send } = await createFilledSandbox();
    for (const body of [
      {},
      { queryForSearch: {} },
      { objectForUpdate: {} },
      { queryForSearch: [], objectForUpdate: {} },
      { queryForSearch: {}, objectForUpdate: [] },
      { queryForSearch: { n: { $nope: 1 } }, objectForUpdate: {} },
      [],
    ]) {
      expect((await send('PATCH', `${path}/query`, body)).status).toBe(400);
    }
  });

  test('an _id cannot change', async () => {
    const { send } = await createFilledSandbox();
    const body = { queryForSearch: {}, objectForUpdate: { _id: 'same' } };
    expect((await send('PATCH', `${path}/query`, body)).status).toBe(400);
  });
});

describe('DELETE /query', () => {
  test('deletes all matches (rest-api.md, "Custom data API")', async () => {
    const { send } = await createFilledSandbox();
    expect((await send('DELETE', `${path}/query`, { n: { $gt: 1 } })).body).toEqual({ deleted: 2 });
    expect((await send('GET', path)).body).toMatchObject([{ n: 1 }]);
    expect((await send('DELETE', `${path}/query`, {})).body).toEqual({ deleted: 1 });
  });

  test('without a body it is rejected and deletes nothing (decisions.md, "Sandbox")', async () => {
    const { send } = await createFilledSandbox();
    for (const body of [undefined, '', 'x', '[]', { $nope: 1 }]) {
      expect((await send('DELETE', `${path}/query`, body)).status).toBe(400);
    }
    expect((await send('GET', path)).body).toHaveLength(3);
  });
});
