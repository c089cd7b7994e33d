import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type ConnectionTarget, settingsPrefix } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { ConnectionsDeps } from './deps.ts';
import type { ConnectionAction } from './connectionActions.ts';

/** The settings that affect HTTP clients: those of VS Code and those of this extension. */
const networkSettings = ['http', `${settingsPrefix}.network`];

/** Registers the commands that manage connections. Their implementation is loaded on first use. */
export function register(deps: ConnectionsDeps): Disposable {
  const { log } = deps;
  const store = new DisposableStore();
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        deps.connections.refresh();
      }
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      // A client keeps the settings that it was created with.
      if (networkSettings.some((section) => change.affectsConfiguration(section))) {
        deps.sessions.renewRemoteSessions();
      }
    }),
  );
  const runAction = (action: ConnectionAction) => async (target?: ConnectionTarget) => {
    const { runConnectionAction } = await import('./connectionActions.ts');
    await runConnectionAction(deps, action, target);
  };
  store.add(registerCommand('datamodelStudio.connections.edit', log, runAction('edit')));
  store.add(registerCommand('datamodelStudio.connections.editWebLinks', log, runAction('editWebLinks')));
  store.add(registerCommand('datamodelStudio.connections.remove', log, runAction('remove')));
  store.add(registerCommand('datamodelStudio.connections.signIn', log, runAction('signIn')));
  store.add(registerCommand('datamodelStudio.connections.signOut', log, runAction('signOut')));
  store.add(registerCommand('datamodelStudio.connections.unlock', log, runAction('unlock')));
  store.add(registerCommand('datamodelStudio.connections.lock', log, runAction('lock')));
  store.add(
    registerCommand('datamodelStudio.connections.add', log, async (suggestion) => {
      const { promptAndAddConnection } = await import('./editConnection.ts');
      await promptAndAddConnection(deps, suggestion);
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
