import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { targetConnection } from '../../platform/pickConnection.ts';
import { pickWords as words } from './connectionWords.ts';
import { addConnection, editConnection } from './editConnection.ts';
import { exportConnections, importConnections } from './shareConnections.ts';
import { removeConnection } from './removeConnection.ts';
import { signIn, signOut } from './signIn.ts';
import { lockConnection, unlockConnection } from './unlockConnection.ts';
import type { ConnectionsDeps } from './deps.ts';

/** Managing connections. */
export function register(deps: ConnectionsDeps): Disposable {
  const { log } = deps;
  const store = new DisposableStore();
  /** A command on one connection: the given one, or the one that is picked. */
  const onOne =
    (placeholder: () => string, run: (deps: ConnectionsDeps, connection: Connection) => Promise<void>) =>
    async (target?: ConnectionTarget): Promise<void> => {
      const connection = await targetConnection(deps, target, { placeholder: placeholder() });
      if (connection !== undefined) {
        await run(deps, connection);
      }
    };
  store.add(registerCommand('datamodelStudio.connections.add', log, () => addConnection(deps)));
  store.add(registerCommand('datamodelStudio.connections.edit', log, onOne(words.edit, editConnection)));
  store.add(
    registerCommand('datamodelStudio.connections.remove', log, onOne(words.remove, removeConnection)),
  );
  store.add(registerCommand('datamodelStudio.connections.signIn', log, onOne(words.signIn, signIn)));
  store.add(registerCommand('datamodelStudio.connections.signOut', log, onOne(words.signOut, signOut)));
  store.add(
    registerCommand('datamodelStudio.connections.unlock', log, onOne(words.unlock, unlockConnection)),
  );
  store.add(registerCommand('datamodelStudio.connections.lock', log, onOne(words.lock, lockConnection)));
  store.add(registerCommand('datamodelStudio.connections.export', log, () => exportConnections(deps)));
  store.add(registerCommand('datamodelStudio.connections.import', log, () => importConnections(deps)));
  return store;
}
