import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { ConnectionsDeps } from './deps.ts';
import type { ConnectionAction } from './onOne.ts';

const actions = [
  'edit',
  'remove',
  'signIn',
  'signOut',
  'unlock',
  'lock',
] as const satisfies readonly ConnectionAction[];

/** Managing connections. The questions are loaded when they are asked. */
export function register(deps: ConnectionsDeps): Disposable {
  const { log } = deps;
  const store = new DisposableStore();
  for (const action of actions) {
    store.add(
      registerCommand(`datamodelStudio.connections.${action}`, log, async (target?: ConnectionTarget) => {
        const { runOnOne } = await import('./onOne.ts');
        await runOnOne(deps, action, target);
      }),
    );
  }
  store.add(
    registerCommand('datamodelStudio.connections.add', log, async () => {
      const { addConnection } = await import('./editConnection.ts');
      await addConnection(deps);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.connections.export', log, async () => {
      const { exportConnections } = await import('./shareConnections.ts');
      await exportConnections(deps);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.connections.import', log, async () => {
      const { importConnections } = await import('./shareConnections.ts');
      await importConnections(deps);
    }),
  );
  return store;
}
