import { describe, expect, test } from 'vitest';
import { type EndpointId, endpoints, type PathDialect, formatPath } from '../../../src/contract/endpoints.ts';
import { getProfile } from '../../../src/sandbox/profiles/profiles.ts';
import { createSandbox, partyIds } from './support.ts';

const { missingEndpoints } = getProfile('guide').paths;
const endpointIds = (Object.keys(endpoints) as EndpointId[]).filter((id) => !missingEndpoints.includes(id));
const dialects: readonly PathDialect[] = ['plain', 'schema'];
const placeholderParameters = new Proxy<Record<string, string>>({}, { get: () => 'x' });

describe('authorization (rest-api.md, "Authentication")', () => {
  test.each(endpointIds)(
    '%s returns 401 without a token and with a wrong one, unless it is anonymous',
    async (id) => {
      const { send } = createSandbox();
      const endpoint: (typeof endpoints)[EndpointId] = endpoints[id];
      for (const dialect of dialects) {
        const path = formatPath(id, placeholderParameters, dialect);
        for (const headers of [
          {},
          { authorization: 'Bearer wrong' },
          { authorization: 'Basic x' },
          { authorization: 'Bearer' },
        ]) {
          const reply = await send(endpoint.method, path, undefined, { as: 'nobody', headers });
          expect(reply.status).toBe('allowsAnonymous' in endpoint ? 200 : 401);
        }
      }
    },
  );

  test('GET /api/auth/isauth returns the boolean isauthenticated (rest-api.md, "Authentication" 3)', async () => {
    const { send } = createSandbox();
    expect((await send('GET', '/api/auth/isauth')).body).toEqual({ isauthenticated: true });
    expect((await send('GET', '/api/auth/isauth', undefined, { as: 'user' })).body).toEqual({
      isauthenticated: true,
    });
    const refused = await send('GET', '/api/auth/isauth', undefined, { as: 'nobody' });
    expect(refused.status).toBe(401);
    expect(refused.body.isauthenticated).toBe(false);
  });

  test('the header is the word Bearer, a space and the token (rest-api.md, "Authentication" 1)', async () => {
    const { send, tokens } = createSandbox();
    const getStatus = async (authorization: string) =>
      (await send('GET', '/api/v2/builds', undefined, { as: 'nobody', headers: { authorization } })).status;
    expect(await getStatus(`Bearer ${tokens.userToken}`)).toBe(200);
    expect(await getStatus(`bearer ${tokens.userToken}`)).toBe(200);
    expect(await getStatus(tokens.userToken)).toBe(401);
    expect(await getStatus(`Bearer ${tokens.userToken}x`)).toBe(401);
  });
});

describe('no web page can call the sandbox (decisions.md, "Sandbox")', () => {
  test.each([
    ['a rebound DNS name as Host', { host: 'evil.example:4000' }, 403],
    ['another port', { host: '127.0.0.1:4001' }, 403],
    ['no port', { host: 'localhost' }, 403],
    ['its own host name', { host: 'localhost:4000' }, 200],
    ['its own host name in capitals', { host: 'LOCALHOST:4000' }, 200],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['an opaque Origin', { origin: 'null' }, 403],
    ['an Origin on another port', { origin: 'http://127.0.0.1:4001' }, 403],
    ['its own Origin', { origin: 'http://127.0.0.1:4000' }, 200],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a same-site fetch', { 'sec-fetch-site': 'same-site' }, 403],
    ['an address typed by a person', { 'sec-fetch-site': 'none' }, 200],
  ])('%s: %j returns %i', async (_case, headers, status) => {
    const { send } = createSandbox();
    for (const path of ['/api/v1/infusion/status', '/api/v2/builds', '/sandbox/faults']) {
      const reply = await send('GET', path, undefined, { headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('error bodies (platform-facts.md, 2.7)', () => {
  test('v2 returns problem details, v0.9 and v1 an error object', async () => {
    const { send } = createSandbox();
    expect((await send('GET', '/api/v2/builds/x')).body).toEqual({
      type: expect.stringMatching(/general-error$/),
      title: 'NotFound',
      status: 404,
      sub: expect.any(Number),
      detail: 'The build task "x" doesn\'t exist',
    });
    expect((await send('POST', '/api/v2/datamodels', {})).body.type).toMatch(/validation-error$/);
    for (const path of ['/api/elasticubes/datasecurity/x', '/api/v1/elasticubes/live/datasecurity/x']) {
      expect((await send('DELETE', path)).body).toEqual({
        error: {
          code: expect.any(Number),
          message: 'The rule "x" doesn\'t exist',
          status: 404,
          httpMessage: 'Not Found',
        },
      });
    }
  });

  test.each([
    '/',
    '/api',
    '/api/v2',
    '/api/v2/nothing',
    '/api/v1/nothing',
    '/api/v2/builds/a/b',
    '/x',
    '//',
    '/sandbox/x',
  ])('the unknown path %s is 404 with a body', async (path) => {
    const { send } = createSandbox();
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const reply = await send(method, path);
      expect(reply.status).toBe(404);
      expect(reply.text).toContain(`Unknown path ${path}`);
    }
  });

  test('a known path with another method is 405 and names the supported ones', async () => {
    const { send } = createSandbox();
    const reply = await send('PUT', '/api/v2/builds');
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, POST, DELETE');
  });

  test.each([
    '{',
    '{"a":1',
    'nonsense',
    "{'a':1}",
    '',
    ' ',
    '\u0000',
    '{"a":"\\ud800"}',
    '['.repeat(100_000),
    `${'['.repeat(300)}${']'.repeat(300)}`,
  ])('the malformed body %j is 400', async (body) => {
    const { send, errors } = createSandbox();
    const sent = body.slice(0, 200_000);
    for (const [method, path] of [
      ['POST', '/api/v2/datamodels'],
      ['POST', '/api/elasticubes/datasecurity'],
      ['POST', '/api/v1/custom_data'],
      ['DELETE', '/api/v1/custom_data/query'],
      ['PUT', '/sandbox/faults'],
    ] as const) {
      expect((await send(method, path, sent)).status).toBe(400);
    }
    expect(errors).toEqual([]);
  });

  test.each([
    '/api/v1/elasticubes/live/%E0%A4%A/datasecurity',
    '/api/v1/elasticubes/live/100%/datasecurity',
    '/api/v2/builds?datamodelId=%&status=%E0%A4%A',
    '/api/v1/groups?name=%ff&fields=%',
    '/api/v1/infusion/viewpoints?with=%&search=%',
    '/api/v2/datamodels?title=%00',
    '/%',
  ])('the badly encoded address %s gets a response', async (path) => {
    const { send, errors } = createSandbox();
    expect((await send('GET', path)).status).toBeLessThan(500);
    expect(errors).toEqual([]);
  });

  test('a body above the size limit returns 413, with and without Content-Length', async () => {
    const { send, app, tokens } = createSandbox({ maxBodyBytes: 100 });
    const body = { text: 'x'.repeat(100) };
    expect(
      (await send('POST', '/api/v1/custom_data', body, { headers: { 'content-length': '111' } })).status,
    ).toBe(413);
    const streamed = await app.request('http://127.0.0.1:4000/api/v1/custom_data', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.adminToken}` },
      body: new Blob([JSON.stringify(body)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });
});

describe('GET /api/v1/groups (rest-api.md, "Group lookup record")', () => {
  const getGroups = async (query: string) => await createSandbox().send('GET', `/api/v1/groups${query}`);

  test('returns an array whose first item carries _id', async () => {
    expect((await getGroups('?fields=_id&name=Sales')).body).toEqual([{ _id: partyIds.sales }]);
    expect((await getGroups('?name=Sales')).body).toEqual([{ _id: partyIds.sales, name: 'Sales' }]);
    expect((await getGroups('?fields=_id,name')).body).toHaveLength(2);
  });

  test('an unknown group name gives 200 and [] (decisions.md, "Sandbox")', async () => {
    const reply = await getGroups('?fields=_id&name=Nobody');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual([]);
    expect((await getGroups('?name=sales')).body).toEqual([]);
  });
});

test('a body with very many objects and arrays is rejected before it is parsed', async () => {
  const { send } = createSandbox({ maxBodyBytes: 10_000_000 });
  const createBody = (count: number): string => `{"a":[${Array(count).fill('{}').join(',')}]}`;
  const refused = await send('POST', '/api/v1/custom_data', createBody(100_000));
  expect(refused.status).toBe(413);
  expect(refused.text).toContain('The body contains more than 100,000 objects and arrays');
  expect((await send('POST', '/api/v1/custom_data', createBody(99_000))).status).toBe(201);
  for (const value of ['{["'.repeat(100_000), 'a'.repeat(9_900_000), '\n'.repeat(4_900_000)]) {
    expect((await send('POST', '/api/v1/custom_data', JSON.stringify({ a: value }))).status).toBe(201);
  }
});
