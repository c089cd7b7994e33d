import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Datamodel } from '../../src/contract/datamodel.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { startBareServer, startBenchSandbox, measureMs } from './support.ts';

/**
 * Response times of the sandbox compared with a bare server that sends the same bytes, and the cost of the large seed.
 */
const requestCount = 1500;
const connectionCount = 20;
const rounds = 5;

const agent = new Agent({ connections: connectionCount, pipelining: 1 });

async function sendRequests(url: string, headers: Record<string, string>): Promise<void> {
  let remainingCount = requestCount;
  await Promise.all(
    Array.from({ length: connectionCount }, async () => {
      while (remainingCount > 0) {
        remainingCount -= 1;
        const { body } = await request(url, { headers, dispatcher: agent });
        await body.arrayBuffer();
      }
    }),
  );
}

async function readResidentBytes(sandbox: { fetchText(path: string): Promise<string> }): Promise<number> {
  const { pid } = JSON.parse(await sandbox.fetchText('/sandbox/identity')) as { pid: number };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

{
  await using sandbox = await startBenchSandbox('demo');
  const [model] = JSON.parse(await sandbox.fetchText('/api/v2/datamodels')) as Datamodel[];
  const [dataset] = model?.datasets ?? [];
  const [table] = dataset?.schema?.tables ?? [];
  const path = `/api/v2/datamodels/${model?.oid}/datasets/${dataset?.oid}/tables/${table?.oid}`;
  const body = await sandbox.fetchText(path);
  await using bareServer = await startBareServer(body);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let roundIndex = 0; roundIndex < rounds; roundIndex += 1) {
    const ours = await measureMs(() => sendRequests(`${sandbox.url}${path}`, sandbox.headers));
    const theirs = await measureMs(() => sendRequests(bareServer.url, {}));
    ratios.push(ours / theirs);
    rates.push((requestCount / ours) * 1000);
  }
  printFigure({
    bench: 'sandbox.requests',
    baseline: 'bare node:http with the same bytes',
    ratio: roundTo(getMedian(ratios)),
    requestsPerSecond: roundTo(getMedian(rates), 0),
    bytes: body.length,
  });
}
{
  await using empty = await startBenchSandbox('empty');
  await using large = await startBenchSandbox('large');
  const [emptyBytes, largeBytes] = [await readResidentBytes(empty), await readResidentBytes(large)];
  printFigure({
    bench: 'sandbox.memory',
    baseline: 'the empty seed',
    ratio: roundTo(largeBytes / emptyBytes),
    megabytes: roundTo(largeBytes / 1e6, 1),
  });
}
await agent.close();
