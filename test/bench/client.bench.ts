import { request } from 'undici';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { writableGuard } from '../../src/client/guard.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Datamodel } from '../../src/contract/datamodel.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { startBareServer, startBenchSandbox, measureMs } from './support.ts';

/** Overhead of the client over bare `undici.request` and `JSON.parse`. */
const requests = 400;
const rounds = 7;

await using sandbox = await startBenchSandbox('demo');
const [model] = JSON.parse(await sandbox.text('/api/v2/datamodels')) as Datamodel[];
const names = { datamodelId: model?.oid ?? '' };
const body = await sandbox.text(`/api/v2/datamodels/${names.datamodelId}`);
await using bare = await startBareServer(body);
const client = new PlatformClient({
  baseUrl: bare.url,
  tokenSource: async () => 'a-token',
  transport: new UndiciTransport(),
  log: silentLog,
  clock: systemClock,
  guard: writableGuard,
});

async function byClient(): Promise<void> {
  for (let index = 0; index < requests; index += 1) {
    await client.datamodels.get(names);
  }
}

async function byUndici(): Promise<void> {
  for (let index = 0; index < requests; index += 1) {
    const answer = await request(`${bare.url}/api/v2/datamodels/${names.datamodelId}`, {
      headers: { authorization: 'Bearer a-token', accept: 'application/json' },
    });
    JSON.parse(await answer.body.text());
  }
}

await byClient();
await byUndici();
const ratios: number[] = [];
const overheads: number[] = [];
for (let round_ = 0; round_ < rounds; round_ += 1) {
  const theirs = await measureMs(byUndici);
  const ours = await measureMs(byClient);
  ratios.push(ours / theirs);
  overheads.push((ours - theirs) / requests);
}
printFigure({
  bench: 'client.get',
  beside: 'undici.request and JSON.parse',
  ratio: roundTo(getMedian(ratios)),
  overheadMs: roundTo(getMedian(overheads)),
  bytes: body.length,
});
client.dispose();
