import { request } from 'undici';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { writableGuard } from '../fakes/guards.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Datamodel } from '../../src/contract/datamodel.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { startBareServer, startBenchSandbox, measureMs } from './support.ts';

/** Overhead of the client over bare `undici.request` and `JSON.parse`. */
const requestCount = 400;
const rounds = 7;

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

await requestByClient();
await requestByUndici();
const ratios: number[] = [];
const overheads: number[] = [];
for (let roundIndex = 0; roundIndex < rounds; roundIndex += 1) {
  const undiciMs = await measureMs(requestByUndici);
  const clientMs = await measureMs(requestByClient);
  ratios.push(clientMs / undiciMs);
  overheads.push((clientMs - undiciMs) / requestCount);
}
printFigure({
  bench: 'client.get',
  baseline: 'undici.request and JSON.parse',
  ratio: roundTo(getMedian(ratios)),
  overheadMs: roundTo(getMedian(overheads)),
  bytes: body.length,
});
client.dispose();
