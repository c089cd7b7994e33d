import { expect, test } from 'vitest';
import { writableGuard } from '../../fakes/guards.ts';
import { PlatformClient } from '../../../src/client/platformClient.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createBuildApi } from '../../../src/connections/createBuildApi.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { Sessions } from '../../../src/connections/sessions.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { type MemoryResponse, MemoryTransport } from '../../fakes/memoryTransport.ts';

const url = 'https://bi.example.com';
const remote: Connection = { kind: 'remote', id: 'r', name: 'Remote', role: 'development', url };

function createSource(answer: () => MemoryResponse) {
  const connections = new ConnectionStore({
    storage: { read: () => [remote], write: async () => {} },
    log: silentLog,
  });
  const transport = new MemoryTransport(answer);
  const connect = async (): Promise<PlatformClient> =>
    new PlatformClient({
      baseUrl: url,
      tokenSource: async () => 'token',
      transport,
      log: silentLog,
      clock: new FakeClock(),
      guard: writableGuard,
    });
  const sessions = new Sessions({ connections, connect, getPageSize: () => 100 });
  return { source: createBuildApi(connections, sessions), connections, transport };
}

test.each([429, 502, 503])(
  'a poll with the status %i sends one request, because the build monitor schedules the next',
  async (status) => {
    const { source, transport } = createSource(() => ({ status, headers: { 'retry-after': '7' } }));
    const failure = await source.list('r').catch((error: unknown) => source.classifyFailure(error));
    expect(failure).toEqual({ retryAfterMs: 7_000, needsUserAction: false, mayHaveTakenEffect: false });
    expect(transport.requestLines).toEqual(['GET /api/v2/builds']);
  },
);

test.each([
  [400, 'Data source not found for build id b'],
  [404, '{}'],
])(
  'a single task whose request has the status %i does not exist (platform-facts.md, 1.2)',
  async (status, body) => {
    const { source } = createSource(() => ({ status, body }));
    expect(await source.find('r', 'b')).toBeUndefined();
  },
);

test.each([304, 500])(
  'a single task whose request has the status %i does not count as missing',
  async (status) => {
    const { source } = createSource(() => ({ status }));
    await expect(source.find('r', 'b')).rejects.toThrow(String(status));
  },
);

test.each([401, 403])('a poll with the status %i requires user action', async (status) => {
  const { source } = createSource(() => ({ status }));
  const failure = await source.list('r').catch((error: unknown) => source.classifyFailure(error));
  expect(failure).toMatchObject({ needsUserAction: true });
});

test('an instance is identified by its connection and its address', async () => {
  const { source, connections } = createSource(() => ({ body: '[]' }));
  const before = source.getInstanceId('r');
  await connections.save({ ...remote, url: 'https://other.example.com' });
  expect(source.getInstanceId('r')).not.toBe(before);
  await connections.remove('r');
  expect([source.getInstanceId('r'), source.canPoll('r')]).toEqual([undefined, false]);
});

test.each([
  [undefined, {}],
  // The default, which releases before L2021.3 reject like any unknown field (rest-api.md, "Versioning").
  ['latest', {}],
  ['running', { schemaOrigin: 'running' }],
] as const)('a start with the schema origin %s sends it as %j', async (schemaOrigin, sent) => {
  const { source, transport } = createSource(() => ({ status: 201, body: '{"oid":"b1"}' }));
  const origin = schemaOrigin === undefined ? {} : { schemaOrigin };
  const request = { connectionId: 'r', datamodelId: 'm', datamodelTitle: 'M', buildType: 'full' } as const;
  await source.start({ ...request, ...origin });
  const body: unknown = JSON.parse(transport.requests.at(-1)?.body ?? '');
  expect(body).toEqual({ datamodelId: 'm', buildType: 'full', ...sent });
});
