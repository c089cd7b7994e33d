import { TransportFailure } from '../../../src/api/transport.ts';
import type { Transport } from '../../../src/api/transport.ts';
import { UndiciTransport } from '../../../src/api/undiciTransport.ts';
import { PlatformClient } from '../../../src/api/platformClient.ts';
import { openGuard } from '../../../src/api/guard.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { catalogSource } from '../../../src/connections/catalogSource.ts';
import { History } from '../../../src/history/history.ts';
import type { Operation } from '../../../src/writes/operation.ts';
import { Writer } from '../../../src/writes/writer.ts';
import { oneSession } from '../../fakes/oneSession.ts';

/** Where a process is killed: right before a write is sent, or right after it was answered. */
export interface KillPoint {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** What a process that writes needs to know; it is handed over as JSON. */
export interface WritingJob {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly operation: Operation;
  readonly kill: KillPoint;
}

/** A writer over real sockets and real files, as each window has one. */
export function realWriter(
  { url, token, folder }: Pick<WritingJob, 'url' | 'token' | 'folder'>,
  around: (send: Transport['send']) => Transport['send'] = (send) => send,
) {
  const transport = new UndiciTransport({});
  const client = new PlatformClient({
    baseUrl: url,
    tokenSource: () => Promise.resolve(token),
    transport: {
      send: around((request) => transport.send(request)),
      dispose: () => transport.dispose(),
    },
    log: silentLog,
    clock: systemClock,
    guard: openGuard,
  });
  const catalog = new Catalog(catalogSource(client, () => 100));
  const limits = () => ({ maxBytes: 1e9, maxAgeMs: 1e12 });
  const history = new History({ folder, limits, clock: systemClock, log: silentLog });
  const sessions = oneSession(() => ({ client, catalog }));
  return {
    client,
    history,
    writer: new Writer({ sessions, history, cubeSets: () => [], clock: systemClock, log: silentLog }),
  };
}

/** Carries out the operation in this process and kills it at its point, as a machine that loses power does. */
export async function writeAndDie(job: WritingJob): Promise<void> {
  let sent = -1;
  const die = (): never => {
    process.kill(process.pid, 'SIGKILL');
    throw new TransportFailure('unknown', { sent: false });
  };
  const { writer } = realWriter(job, (send) => async (request) => {
    if (request.method === 'GET') {
      return send(request);
    }
    sent += 1;
    if (sent === job.kill.write && job.kill.when === 'before') {
      die();
    }
    const response = await send(request);
    return sent === job.kill.write ? die() : response;
  });
  const { ticket } = await writer.plan(job.operation);
  await writer.run(job.operation, { permit: writer.permit(ticket) });
}

const [jobText] = process.argv.slice(2);
if (import.meta.main && jobText !== undefined) {
  await writeAndDie(JSON.parse(jobText) as WritingJob);
}
