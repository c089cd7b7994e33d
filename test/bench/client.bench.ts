import { request } from 'undici';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { writableGuard } from '../fakes/guards.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Datamodel } from '../../src/contract/datamodel.ts';
import { compare, measureMs } from './harness/bench.ts';
import { startBareServer, startBenchSandbox } from './support.ts';

/** Overhead of the client over bare `undici.request` and `JSON.parse`. */
const requestCount = 200;

await using sandbox = await startBenchSandbox('demo');
const [model] = JSON.parse(await sandbox.fetchText('/api/v2/datamodels')) as Datamodel[];
const pathParameters = { datamodelId: model?.oid ?? '' };
const body = await sandbox.fetchText(`/api/v2/datamodels/${pathParameters.datamodelId}`);
await using bareServer = await startBareServer(body);
const client = new PlatformClient({
  baseUrl: bareServer.url,
  tokenSource: async () => 'a-token',
  transport: new UndiciTransport(),
  log: silentLog,
  clock: systemClock,
  guard: writableGuard,
});

async function requestByClient(): Promise<void> {
  for (let index = 0; index < requestCount; index += 1) {
    await client.datamodels.get(pathParameters);
  }
}

async function requestByUndici(): Promise<void> {
  for (let index = 0; index < requestCount; index += 1) {
    const response = await request(`${bareServer.url}/api/v2/datamodels/${pathParameters.datamodelId}`, {
      headers: { authorization: 'Bearer a-token', accept: 'application/json' },
    });
    JSON.parse(await response.body.text());
  }
}

await compare(
  {
    name: 'get',
    what: 'A GET through the client, checked by its schema',
    baseline: '`undici` and `JSON.parse`',
    limit: 1.3,
    warmups: 3,
    details: { requests: requestCount, bytes: body.length },
  },
  { subject: () => measureMs(requestByClient), base: () => measureMs(requestByUndici) },
);
client.dispose();
