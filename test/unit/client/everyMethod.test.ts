import { describe, expect, test } from 'vitest';
import { ReadOnlyError, SignedOutError } from '../../../src/client/errors.ts';
import { readOnlyGuard } from '../../fakes/guards.ts';
import {
  type Endpoint,
  type EndpointId,
  endpoints,
  getPathTemplate,
  takesBody,
  tenantHeader,
} from '../../../src/contract/endpoints.ts';
import { createClientCalls } from '../../support/clientCalls.ts';
import { getFailure, json, createTestClient, token } from './support.ts';

const ids = Object.keys(endpoints) as EndpointId[];
const getEndpoint = (id: EndpointId): Endpoint => endpoints[id];

/** Matches the URLs of an endpoint, with any values in its path. */
const createUrlPattern = (id: EndpointId, dialect: 'plain' | 'schema'): RegExp =>
  new RegExp(
    `^https://bi\\.example\\.com${getPathTemplate(id, dialect).replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`,
  );

/** A value that satisfies every schema of the contract. */
const anyValue = {
  oid: 'x',
  _id: 'x',
  id: 'x',
  title: 'X',
  isauthenticated: true,
  table: 'T',
  column: 'C',
  columns: [],
};

describe.each(ids)('%s', (id) => {
  test.each(['plain', 'schema'] as const)(
    'sends its method to its path in the %s dialect',
    async (dialect) => {
      const { client, transport } = createTestClient(json(anyValue), { dialect });
      await client.datamodels.list();
      await createClientCalls(client)[id]();
      expect(transport.lastRequest.method).toBe(getEndpoint(id).method);
      expect(transport.lastRequest.url).toMatch(createUrlPattern(id, dialect));
    },
  );

  test('has the token, and the tenant header on viewpoint endpoints only [spec: auth.bearer] [spec: viewpoint.tenant-header]', async () => {
    const { client, transport } = createTestClient(json(anyValue), { tenantId: 'tenant-1' });
    await createClientCalls(client)[id]();
    const { headers, body } = transport.lastRequest;
    expect(headers['authorization']).toBe(`Bearer ${token}`);
    expect(headers[tenantHeader]).toBe(id.startsWith('viewpoints.') ? 'tenant-1' : undefined);
    expect(headers['accept']).toBe('application/json');
    expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json; charset=utf-8');
  });

  test('has a body where the contract says so', async () => {
    const { client, transport } = createTestClient(json(anyValue));
    await createClientCalls(client)[id]();
    expect(transport.lastRequest.body !== undefined).toBe(takesBody(id));
  });

  test('is sent by a read-only connection only when it is a GET', async () => {
    const { client, transport } = createTestClient(json(anyValue), { guard: readOnlyGuard });
    if (getEndpoint(id).method === 'GET') {
      await createClientCalls(client)[id]();
      expect(transport.requests).toHaveLength(1);
      return;
    }
    const error = await getFailure(createClientCalls(client)[id]());
    expect(error).toBeInstanceOf(ReadOnlyError);
    expect(error).toMatchObject({
      code: 'read-only',
      mayHaveTakenEffect: false,
      requestInfo: { endpoint: id },
    });
    expect(transport.requests).toEqual([]);
  });

  test('is not sent without a token unless it needs none [spec: auth.status-anonymous]', async () => {
    const { client, transport } = createTestClient(json(anyValue), {
      tokenSource: () => Promise.resolve(undefined),
    });
    if (getEndpoint(id).allowsAnonymous === true) {
      await createClientCalls(client)[id]();
      expect(transport.lastRequest.headers['authorization']).toBeUndefined();
      return;
    }
    const error = await getFailure(createClientCalls(client)[id]());
    expect(error).toBeInstanceOf(SignedOutError);
    expect(error.code).toBe('signed-out');
    expect(transport.requests).toEqual([]);
  });

  test('names the failing endpoint, and logs neither token nor query nor body', async () => {
    const { client, transport, log } = createTestClient({ status: 418, body: `no ${token} here` });
    const error = await getFailure(createClientCalls(client)[id]());
    expect(error).toMatchObject({ code: 'rejected', requestInfo: { method: getEndpoint(id).method } });
    expect(error.message).toContain(id.split('.')[0]);
    expect(`${error.message}${String(error.stack)}${JSON.stringify(error)}${log.text}`).not.toContain(token);
    expect(log.text).not.toMatch(/North|notes|Fresh/);
    expect(transport.requests.length).toBeGreaterThan(0);
  });

  test('is canceled by its signal', async () => {
    const { client, transport } = createTestClient(json(anyValue));
    const error = await getFailure(createClientCalls(client)[id](AbortSignal.abort()));
    expect(error.code).toBe('canceled');
    expect(transport.requests).toEqual([]);
  });
});
