import { describe, expect, test } from 'vitest';
import { RecordingTransport } from '../../../src/client/recordingTransport.ts';
import { TransportFailure, type TransportRequest } from '../../../src/client/transport.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { type MemoryResponse, MemoryTransport } from '../../fakes/memoryTransport.ts';

const origin = 'https://analytics.example.com';
const signal = new AbortController().signal;
const createRequest = (path: string, request: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  url: `${origin}${path}`,
  headers: { accept: 'application/json', authorization: 'Bearer old-token' },
  signal,
  ...request,
});
const repeatOptions = {
  origin,
  token: 'current-token',
  clock: new FakeClock(),
  signal,
  timeoutMs: 1000,
  concurrency: 2,
};

/** Records the responses of an instance, and returns the recording and the transport of the next run. */
async function record(
  respondBefore: (path: string) => MemoryResponse,
  respondNow: (path: string) => MemoryResponse = respondBefore,
  paths: readonly string[] = ['/a?limit=1', '/b'],
) {
  const toPath = ({ url }: TransportRequest): string => url.slice(origin.length);
  const recorder = new RecordingTransport(new MemoryTransport((request) => respondBefore(toPath(request))));
  for (const path of paths) {
    await recorder.send(createRequest(path));
  }
  const inner = new MemoryTransport((request) => respondNow(toPath(request)));
  return { exchanges: recorder.exchanges, inner, transport: new RecordingTransport(inner) };
}

const respond = (path: string): MemoryResponse => ({ body: `{"path":"${path}"}` });

describe('recorded requests that are sent again', () => {
  test('have the same path and headers, and the current token', async () => {
    const { exchanges = [], inner, transport } = await record(respond);
    expect(JSON.stringify(exchanges)).not.toContain('old-token');
    expect(await transport.repeat(exchanges, repeatOptions)).toBe(true);
    expect(inner.requests.map(({ method, url, headers }) => ({ method, url, headers }))).toEqual(
      ['/a?limit=1', '/b'].map((path) => ({
        method: 'GET',
        url: `${origin}${path}`,
        headers: { accept: 'application/json', authorization: 'Bearer current-token' },
      })),
    );
  });

  test.each<[name: string, now: MemoryResponse]>([
    ['one character of the body', { body: '{"path":"/B"}' }],
    ['only white space', { body: '{"path":"/b"} ' }],
    ['the status', { body: '{"path":"/b"}', status: 404 }],
    ['the content type', { body: '{"path":"/b"}', headers: { 'content-type': 'text/html' } }],
    ['a failure', new TransportFailure('reset', { mayHaveBeenSent: true })],
  ])('show that a response differs: %s', async (_name, now) => {
    const { exchanges = [], transport } = await record(respond, (path) =>
      path === '/b' ? now : respond(path),
    );
    expect(await transport.repeat(exchanges, repeatOptions)).toBe(false);
  });

  test('serve the next equal request, once', async () => {
    const { exchanges = [], inner, transport } = await record(respond, () => ({ body: 'now' }));
    await transport.repeat(exchanges, repeatOptions);
    inner.requests.length = 0;
    expect((await transport.send(createRequest('/b'))).text).toBe('now');
    expect(inner.requests).toEqual([]);
    await transport.send(createRequest('/b'));
    expect(inner.requestLines).toEqual(['GET /b']);
  });

  test.each([
    ['other headers', createRequest('/b', { headers: { accept: 'text/plain' } })],
    ['another path', createRequest('/b?limit=1')],
  ])('serve no request with %s', async (_name, request) => {
    const { exchanges = [], inner, transport } = await record(respond);
    await transport.repeat(exchanges, repeatOptions);
    inner.requests.length = 0;
    await transport.send(request);
    expect(inner.requests).toHaveLength(1);
  });

  test('serve no request once their responses are discarded', async () => {
    const { exchanges = [], inner, transport } = await record(respond);
    await transport.repeat(exchanges, repeatOptions);
    transport.discardRepeatedResponses();
    inner.requests.length = 0;
    await transport.send(createRequest('/b'));
    expect(inner.requests).toHaveLength(1);
  });

  test('serve no request if they failed', async () => {
    const { exchanges = [], inner, transport } = await record(respond, () => ({ status: 503 }));
    expect(await transport.repeat(exchanges, repeatOptions)).toBe(false);
    inner.requests.length = 0;
    await transport.send(createRequest('/b'));
    expect(inner.requests).toHaveLength(1);
  });

  test.each(['.evil.example/a', '@evil.example/a', ':1234/a'])(
    'never go to another origin: %s',
    async (path) => {
      const { inner, transport } = await record(respond);
      const exchanges = [{ path, headers: {}, responseHash: '' }];
      expect(await transport.repeat(exchanges, repeatOptions)).toBe(false);
      expect(inner.requests).toEqual([]);
    },
  );

  test('end when they are canceled', async () => {
    const { exchanges = [], transport } = await record(respond);
    const canceled = AbortSignal.abort(new Error('canceled'));
    await expect(
      new RecordingTransport(
        new MemoryTransport(() => new TransportFailure('aborted', { mayHaveBeenSent: false })),
      ).repeat(exchanges, { ...repeatOptions, signal: canceled }),
    ).rejects.toThrow('canceled');
    transport.dispose();
  });
});

describe('what was sent cannot be repeated', () => {
  test('if a response was neither a success nor a 404', async () => {
    const { exchanges } = await record((path) => (path === '/b' ? { status: 403 } : respond(path)));
    expect(exchanges).toBeUndefined();
  });

  test('if the same request had two different responses', async () => {
    let count = 0;
    const { exchanges } = await record(() => ({ body: String((count += 1)) }), respond, ['/b', '/b']);
    expect(exchanges).toBeUndefined();
  });

  test('if a request was not a GET', async () => {
    const transport = new RecordingTransport(new MemoryTransport(() => respond('/a')));
    await transport.send(createRequest('/a'));
    expect(transport.exchanges).toHaveLength(1);
    await transport.send(createRequest('/a', { method: 'POST', body: '{}' }));
    expect(transport.exchanges).toBeUndefined();
  });
});
