import { request } from 'undici';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { openGuard } from '../../src/client/guard.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Datamodel } from '../../src/contract/datamodel.ts';
import { median, report, round } from './report.ts';
import { bareServer, benchSandbox, timed } from './support.ts';

/** What the client adds to bare `undici.request` and `JSON.parse`. */
const requests = 400;
const rounds = 7;

await using sandbox = await benchSandbox('demo');
const [model] = JSON.parse(await sandbox.text('/api/v2/datamodels')) as Datamodel[];
const names = { datamodelId: model?.oid ?? '' };
const body = await sandbox.text(`/api/v2/datamodels/${names.datamodelId}`);
await using bare = await bareServer(body);
const client = new PlatformClient({
  baseUrl: bare.url,
  tokenSource: async () => 'a-token',
  transport: new UndiciTransport(),
  log: silentLog,
  clock: systemClock,
  guard: openGuard,
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
  const theirs = await timed(byUndici);
  const ours = await timed(byClient);
  ratios.push(ours / theirs);
  overheads.push((ours - theirs) / requests);
}
report({
  bench: 'client.get',
  beside: 'undici.request and JSON.parse',
  ratio: round(median(ratios)),
  overheadMs: round(median(overheads)),
  bytes: body.length,
});
client.dispose();
