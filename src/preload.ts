import type { Clock } from './base/clock.ts';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import type { Log } from './base/log.ts';
import { runWhenIdle } from './base/runWhenIdle.ts';
import type { ConnectionStore } from './connections/connectionStore.ts';

/**
 * The modules that the first actions of a user with a connection need, in the order in which they are needed. They are
 * only loaded: nothing is requested, opened, or started.
 */
const parts: readonly (() => Promise<unknown>)[] = [
  // To expand a connection.
  () => import('./features/explorer/openExplorer.ts'),
  () => import('./features/explorer/nodes/instanceNodes.ts'),
  () => import('./catalog/pins.ts'),
  () => import('./connections/createCatalog.ts'),
  () => import('./client/platformClient.ts'),
  async () => (await import('./client/undiciTransport.ts')).loadUndici(),
  () => import('./connections/withConnectionLossCallback.ts'),
  // To open a document.
  () => import('./features/documents/openResource.ts'),
  () => import('./features/documents/fileSystem.ts'),
  () => import('./features/currentConnection/readConnectionId.ts'),
  // To complete SQL and JSON.
  () => import('./features/sqlLanguage/language.ts'),
  () => import('./features/jsonLanguage/language.ts'),
  // To open a form and a diagram.
  () => import('./features/forms/openForm.ts'),
  () => import('./features/diagram/diagrams.ts'),
];

/**
 * Loads code in advance while the editor is idle, once there is a connection. A failure is logged but not shown: nobody
 * waits for the code yet, and its first use loads it again.
 */
export function preload(
  {
    connections,
    clock,
    log,
  }: {
    readonly connections: Pick<ConnectionStore, 'all' | 'onDidChange'>;
    readonly clock: Clock;
    readonly log: Log;
  },
  partsToLoad = parts,
): Disposable {
  const store = new DisposableStore();
  let isStarted = false;
  const start = (): void => {
    if (!isStarted && connections.all.length > 0) {
      isStarted = true;
      const onError = (error: unknown): void =>
        log.error('commands', 'Loading in advance failed', { reason: String(error) });
      store.add(runWhenIdle(partsToLoad, { clock, onError }));
    }
  };
  store.add(connections.onDidChange(start));
  start();
  return store;
}
