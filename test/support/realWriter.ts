import type { Transport } from '../../src/client/transport.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { openGuard } from '../../src/client/guard.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { catalogSource } from '../../src/connections/catalogSource.ts';
import { History } from '../../src/changes/journal/history.ts';
import { Writer } from '../../src/changes/run/writer.ts';
import { oneSession } from '../fakes/oneSession.ts';

/** Whose writes they are, and the folder of their history. */
export interface WriterPlace {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

/** A writer over real sockets and real files, as each window has one. */
export function realWriter(
  { url, token, folder }: WriterPlace,
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
