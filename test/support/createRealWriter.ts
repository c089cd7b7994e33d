import type { Transport } from '../../src/client/transport.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { writableGuard } from '../fakes/guards.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { InstanceCatalog } from '../../src/catalog/instanceCatalog.ts';
import { createCatalogSource } from '../../src/connections/createCatalogSource.ts';
import { History } from '../../src/changes/journal/history.ts';
import { Writer } from '../../src/changes/run/writer.ts';
import { createSharedSessions } from '../fakes/fakeSessions.ts';

/** The instance and token of the user, and the folder of their history. */
export interface WriterOptions {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

/** Creates a writer with real sockets and files, like that of a window. */
export function createRealWriter(
  { url, token, folder }: WriterOptions,
  wrapSend: (send: Transport['send']) => Transport['send'] = (send) => send,
) {
  const transport = new UndiciTransport({});
  const client = new PlatformClient({
    baseUrl: url,
    tokenSource: () => Promise.resolve(token),
    transport: {
      send: wrapSend((request) => transport.send(request)),
      dispose: () => transport.dispose(),
    },
    log: silentLog,
    clock: systemClock,
    guard: writableGuard,
  });
  const catalog = new InstanceCatalog(createCatalogSource(client, { getPageSize: () => 100 }));
  const limits = () => ({ maxBytes: 1e9, maxAgeMs: 1e12 });
  const history = new History({ folder, getLimits: limits, clock: systemClock, log: silentLog });
  const sessions = createSharedSessions(() => ({ client, catalog }));
  return {
    client,
    history,
    writer: new Writer({ sessions, history, getCubeSets: () => [], clock: systemClock, log: silentLog }),
  };
}
