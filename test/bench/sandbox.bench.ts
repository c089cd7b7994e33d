import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Datamodel } from '../../src/contract/datamodel.ts';
import { compare, measureMs, report } from './harness/bench.ts';
import { startBareServer, startBenchSandbox } from './support.ts';

/**
 * Response times of the sandbox compared with a bare server that sends the same bytes, and the cost of the large seed.
 */
const requestCount = 500;
const connectionCount = 20;

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
  await compare(
    {
      name: 'requests',
      what: 'Requests to the sandbox',
      baseline: 'bare `node:http` with the same bytes',
      limit: 1.8,
      warmups: 3,
      details: { requests: requestCount, bytes: body.length },
    },
    {
      subject: () => measureMs(() => sendRequests(`${sandbox.url}${path}`, sandbox.headers)),
      base: () => measureMs(() => sendRequests(bareServer.url, {})),
    },
  );
}
{
  await using empty = await startBenchSandbox('empty');
  await using large = await startBenchSandbox('large');
  const [emptyBytes, largeBytes] = [await readResidentBytes(empty), await readResidentBytes(large)];
  await report(
    {
      name: 'memory',
      what: 'Memory of the sandbox with the large seed',
      baseline: 'with nothing',
      details: { megabytes: Math.round(largeBytes / 1e6) },
    },
    largeBytes / emptyBytes,
  );
}
await agent.close();
