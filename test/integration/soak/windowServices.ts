import { join } from 'node:path';
import { UndiciTransport } from '../../../src/client/undiciTransport.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { openBuildWatch } from '../../../src/builds/openBuildWatch.ts';
import { Pins } from '../../../src/catalog/pins.ts';
import { createBuildApi } from '../../../src/connections/createBuildApi.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { Connector } from '../../../src/connections/connector.ts';
import { relockOnChange } from '../../../src/connections/relockOnChange.ts';
import { Sessions } from '../../../src/connections/sessions.ts';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { History } from '../../../src/changes/journal/history.ts';
import { Writer } from '../../../src/changes/run/writer.ts';
import { createBaseStorage, createMemoryStorage } from '../documents/editorWindow.ts';

export type WindowServices = Awaited<ReturnType<typeof openWindow>>;

/** The services of a window, constructed and connected as in `services.ts`, over real sockets and files. */
export async function openWindow(
  sandbox: { readonly url: string; readonly adminToken: string },
  folder: string,
) {
  const store = new DisposableStore();
  const clock = systemClock;
  const log = silentLog;
  let saved: readonly unknown[] = [];
  const connections = store.add(
    new ConnectionStore({
      storage: {
        read: () => saved,
        write: async (next) => {
          saved = next;
        },
      },
      log,
    }),
  );
  const locks = store.add(new WriteLocks(clock));
  store.add(relockOnChange(connections, locks));
  const tokens = {
    get: async () => sandbox.adminToken,
    set: async () => {},
    forget: async () => {},
  };
  const connector = new Connector({
    tokens,
    locateSandbox: async () => sandbox,
    onSandboxLost: () => {},
    createTransport: async () => new UndiciTransport({}),
    locks,
    getConnectionName: ({ name }) => name,
    getLimits: () => ({ timeoutMs: 30_000, concurrency: 6 }),
    clock,
    log,
  });
  const sessions = store.add(
    new Sessions({
      connections,
      connect: (connection) => connector.connect(connection),
      getPageSize: () => 100,
    }),
  );
  const { watch } = await openBuildWatch(join(folder, 'builds'), {
    buildApi: createBuildApi(connections, sessions),
    clock,
    log,
    random: Math.random,
    getPollSettings: () => ({ steadyIntervalMs: 1000 }),
    windowId: 'soak',
  });
  store.add(watch);
  const history = store.add(
    new History({
      folder: join(folder, 'history'),
      getLimits: () => ({ maxBytes: 100_000, maxAgeMs: 1e9 }),
      clock,
      log,
    }),
  );
  const writer = new Writer({ sessions, history, getCubeSets: () => [], clock, log });
  const documents = new RemoteDocuments({
    sessions,
    getWriter: () => Promise.resolve(writer),
    clock,
    editor: { isDirty: () => false },
    baseStorage: createBaseStorage(),
    aliases: new RuleAliases(createMemoryStorage()),
  });
  const pins = store.add(new Pins(createMemoryStorage()));
  const home: Connection = {
    kind: 'remote',
    id: 'home',
    name: 'Home',
    role: 'development',
    url: sandbox.url,
  };
  await connections.save(home);
  return {
    home,
    connections,
    locks,
    sessions,
    watch,
    history,
    writer,
    documents,
    pins,
    dispose: () => store.dispose(),
  };
}
