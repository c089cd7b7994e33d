import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { type Log, silentLog } from '../base/log.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { BuildApi } from '../builds/buildApi.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { Connector } from '../connections/connector.ts';
import { Doctor } from '../connections/doctor/doctor.ts';
import { type Session, Sessions } from '../connections/sessions.ts';
import { WriteLocks } from '../connections/writeLocks.ts';
import type { History } from '../changes/journal/history.ts';
import type { Writer } from '../changes/run/writer.ts';
import type { Transport } from '../client/transport.ts';
import type { Shell } from './shell.ts';
import { type InstanceTarget, convertStateFolderErrors, requirePrivateStateFolder } from './target.ts';
import { createTransport, getNetworkSettings, requestLimits } from './transport.ts';

const pageSize = 100;
/** Longer than any command runs, so that the instance stays unlocked until the command has ended. */
const unlockMs = 24 * 60 * 60 * 1000;

/** The writer of an instance's changes, and the history that records them. */
export interface ChangeServices {
  readonly history: History;
  readonly writer: Writer;
}

/** The services of an instance: those of the editor, configured by command line options instead of settings. */
export interface Instance extends Disposable {
  readonly doctor: Doctor;
  getSession(): Promise<Session>;
  /** Allows writes to a production instance, for a command that the user has confirmed. */
  unlock(): void;
  /** Loads the code that starts and reads builds of the instance. */
  openBuildApi(): Promise<BuildApi>;
  /** @param folder where the journals are kept */
  openChangeServices(folder: string): Promise<ChangeServices>;
}

/**
 * Creates the services that commands need to work with an instance. Sends no request before one of them is used.
 * @param openTransport creates the transport of a session, which disposes it
 */
export function openInstance(
  target: InstanceTarget,
  shell: Pick<Shell, 'env'>,
  clock: Clock,
  openTransport: () => Promise<Transport> = () => createTransport(target, shell),
): Instance {
  const { connection, token, certificates } = target;
  const log: Log = silentLog;
  const store = new DisposableStore();
  const connections = store.add(
    new ConnectionStore({
      storage: { read: () => undefined, write: async () => undefined },
      log,
      transient: [connection],
    }),
  );
  const { origin } = new URL(connection.url);
  const tokens = {
    get: async (id: string, tokenOrigin: string) =>
      getBaseConnectionId(id) === getBaseConnectionId(connection.id) && tokenOrigin === origin
        ? token
        : undefined,
    set: async () => undefined,
    forget: async () => undefined,
  };
  const locks = store.add(new WriteLocks(clock));
  const connector = new Connector({
    tokens,
    locateSandbox: () => Promise.reject(new Error('The command line has no sandbox of its own')),
    onSandboxLost: () => undefined,
    createTransport: openTransport,
    locks,
    getConnectionName: ({ name }) => name,
    getLimits: () => requestLimits,
    clock,
    log,
  });
  const sessions = store.add(
    new Sessions({
      connections,
      connect: (target) => connector.connect(target),
      getPageSize: () => pageSize,
    }),
  );
  const doctor = new Doctor({
    ensureAddress: (target) => connector.ensureAddress(target),
    tokens,
    locks,
    getNetworkSettings: () => getNetworkSettings(shell),
    loadCertificates: async () => certificates,
    createTransport: openTransport,
    getLimits: () => requestLimits,
    clock,
    log,
  });
  return {
    doctor,
    getSession: () => sessions.get(connection.id),
    unlock: () => locks.unlock(connection.id, unlockMs),
    openBuildApi: async () => {
      const { createBuildApi } = await import('../connections/createBuildApi.ts');
      return createBuildApi(connections, sessions);
    },
    openChangeServices: async (folder) => {
      await convertStateFolderErrors(() => requirePrivateStateFolder(folder));
      const [{ Writer }, { openHistory }] = await Promise.all([
        import('../changes/run/writer.ts'),
        import('./openHistory.ts'),
      ]);
      const changeHistory = store.add(openHistory(target, folder, clock));
      return {
        history: changeHistory,
        writer: new Writer({
          sessions,
          history: changeHistory,
          getCubeSets: () => [],
          loadUsersAndGroups: async () => {
            const [{ readUsersAndGroups }, { createUserDirectory }] = await Promise.all([
              import('../connections/readUsersAndGroups.ts'),
              import('../connections/createUserDirectory.ts'),
            ]);
            const { client } = await sessions.get(connection.id);
            return createUserDirectory(await readUsersAndGroups(client, log), undefined);
          },
          clock,
          log,
        }),
      };
    },
    dispose: () => store.dispose(),
  };
}
