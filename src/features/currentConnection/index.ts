import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import { ConnectionStatusItem } from './connectionStatusItem.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import { switchConnection } from './switchConnection.ts';

/** Registers the status bar item of the current connection, and the command that switches it. */
export function register(deps: CurrentConnectionDeps): Disposable {
  const store = new DisposableStore();
  store.add(new ConnectionStatusItem(deps));
  store.add(registerCommand('datamodelStudio.connections.switch', deps.log, () => switchConnection(deps)));
  return store;
}
