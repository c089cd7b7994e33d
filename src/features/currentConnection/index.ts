import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { UnlockCountdown } from '../../connections/unlockCountdown.ts';
import { registerCommand } from '../../platform/commands.ts';
import { ConnectionStatusItem } from './connectionStatusItem.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import { ShownConnection } from './shownConnection.ts';
import { UnlockedConnectionsItem } from './unlockedConnectionsItem.ts';

/** Registers the status bar items of the connection in use and of unlocked ones, and the command that switches it. */
export function register(deps: CurrentConnectionDeps): Disposable {
  const store = new DisposableStore();
  const shownConnection = store.add(new ShownConnection(deps));
  const countdown = store.add(new UnlockCountdown(deps));
  store.add(new ConnectionStatusItem({ ...deps, shownConnection, countdown }));
  store.add(new UnlockedConnectionsItem(shownConnection, countdown));
  store.add(
    registerCommand('datamodelStudio.connections.switch', deps.log, async () =>
      (await import('./switchConnection.ts')).switchConnection(deps, shownConnection.value),
    ),
  );
  return store;
}
