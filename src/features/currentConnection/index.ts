import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import { ConnectionStatusItem } from './connectionStatusItem.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import { switchConnection } from './switchConnection.ts';

/** Registers the current connection: shown in the status bar, and switched. */
export function register(deps: CurrentConnectionDeps): Disposable {
  const store = new DisposableStore();
  store.add(new ConnectionStatusItem(deps));
  store.add(registerCommand('datamodelStudio.connections.switch', deps.log, () => switchConnection(deps)));
  return store;
}
