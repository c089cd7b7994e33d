import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BrokenResponse, createFaultResponse } from '../../../src/sandbox/faultResponses.ts';
import type { RequestFault } from '../../../src/sandbox/faults.ts';
import { ListenError, Listener } from '../../../src/sandbox/listener.ts';
import { createProblemBody } from '../../../src/sandbox/problem.ts';

let listener: Listener;
let url = '';

/** An app that responds with the fault named by the path. */
function createFaultyApp(): Hono {
  const app = new Hono();
  app.get('/fault/:kind', (c) => {
    const bytes = c.req.query('bytes');
    const fault = { kind: c.req.param('kind'), ...(bytes === undefined ? {} : { bytes: Number(bytes) }) };
    return createFaultResponse(
      fault as Exclude<RequestFault, { kind: 'latency' }>,
      '/api/v2/x',
      createProblemBody,
    );
  });
  app.get(
    '/truncated',
    () => new BrokenResponse({ kind: 'truncate' }, new Response('x'.repeat(1000), { status: 201 })),
  );
  app.get('/text', () => {
    const response = new Response('ü'.repeat(1000));
    // Fails the test if the body is read as a stream, which takes longer than sending its text.
    Object.defineProperty(response, 'body', {
      get() {
        throw new Error('The body is read as a stream');
      },
    });
    return response;
  });
  app.get('/host', (c) => c.json({ host: c.req.header('host'), url: c.req.url }));
  app.onError((error) => new Response(error.message, { status: 500 }));
  app.post('/echo', async (c) => c.text(await c.req.text()));
  return app;
}

beforeEach(async () => {
  listener = new Listener(createFaultyApp());
  url = `http://127.0.0.1:${(await listener.start()).port}`;
});
afterEach(async () => await listener.stop());

test('the listener uses a free port of 127.0.0.1, and can be stopped twice', async () => {
  expect(listener.port).toBeGreaterThan(0);
  const reply: unknown = await (await fetch(`${url}/host`)).json();
  expect(reply).toEqual({ host: `127.0.0.1:${listener.port}`, url: `${url}/host` });
  await listener.stop();
  await listener.stop();
  await expect(fetch(`${url}/host`)).rejects.toThrow('fetch failed');
});

test('a port that is in use is a ListenError', async () => {
  const secondListener = new Listener(createFaultyApp());
  await expect(secondListener.start(listener.port)).rejects.toThrow(ListenError);
});

test('a large body is accepted', async () => {
  const body = 'ü'.repeat(1_000_000);
  expect(await (await fetch(`${url}/echo`, { method: 'POST', body })).text()).toBe(body);
});

test('a response with a text body is sent without reading it as a stream', async () => {
  const response = await fetch(`${url}/text`);
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '2000']);
  expect(await response.text()).toBe('ü'.repeat(1000));
});

test('a request that is not HTTP, or is cut off, does not affect later requests', async () => {
  for (const text of [
    'nonsense\r\n\r\n',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab',
    'GET /host HTTP/1.1\r\n\r\n',
    'GET /host HTTP/1.1\r\nHost: a b\r\n\r\n',
  ]) {
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end(text);
    socket.resume();
    await once(socket, 'close');
  }
  expect((await fetch(`${url}/host`)).status).toBe(200);
});

describe('faults of the connection (decisions.md, "Sandbox")', () => {
  test('the fault drop closes the connection without a response', async () => {
    await expect(fetch(`${url}/fault/drop`)).rejects.toThrow('fetch failed');
  });

  test('the fault truncate closes the connection in the middle of the body', async () => {
    const response = await fetch(`${url}/truncated`);
    expect([response.status, response.headers.get('content-length')]).toEqual([201, '1000']);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('the fault hang sends no response until the caller disconnects', async () => {
    const controller = new AbortController();
    const reply = fetch(`${url}/fault/hang`, { signal: controller.signal });
    await fetch(`${url}/host`);
    controller.abort();
    await expect(reply).rejects.toThrow('aborted');
  });

  test('the fault endless sends bytes until the caller disconnects, or up to a given number', async () => {
    const response = await fetch(`${url}/fault/endless`);
    let received = 0;
    for await (const chunk of response.body ?? []) {
      received += chunk.byteLength;
      if (received > 3_000_000) {
        break;
      }
    }
    expect(received).toBeGreaterThan(3_000_000);
    const limitedResponse = await fetch(`${url}/fault/endless?bytes=1000000`);
    const body: unknown = await limitedResponse.json();
    expect(body).toHaveLength(16 * 32_768 + 1);
  });

  test('stopping the listener ends requests that hang', async () => {
    const reply = fetch(`${url}/fault/hang`);
    await fetch(`${url}/host`);
    await listener.stop();
    await expect(reply).rejects.toThrow('fetch failed');
  });
});
