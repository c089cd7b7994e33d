import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import { type SandboxConnection, sandboxConnectionId } from '../../connections/connection.ts';
import { demoCubeSets } from '../../connections/demoCubeSets.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import { views } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { SandboxService } from '../../sandbox/host/sandboxService.ts';

/** Registers the commands that start and stop the embedded sandbox. */
export function register(deps: {
  sandbox: SandboxService;
  connections: ConnectionStore;
  sessions: Sessions;
  builds: BuildMonitor;
  log: Log;
}): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand('datamodelStudio.sandbox.start', deps.log, () => startSandbox(deps)));
  store.add(registerCommand('datamodelStudio.sandbox.stop', deps.log, () => stopSandbox(deps)));
  store.add(deps.sandbox.onDidEnd(() => endSessionAndBuilds(deps, { wasStopped: false })));
  return store;
}

async function startSandbox(deps: {
  sandbox: SandboxService;
  connections: ConnectionStore;
  sessions: Sessions;
}): Promise<void> {
  // The Connections view shows the progress, and then the sandbox.
  await vscode.commands.executeCommand(`${views.explorer}.focus`);
  await vscode.window.withProgress(
    { location: { viewId: views.explorer }, title: vscode.l10n.t('Starting the sandbox') },
    () => deps.sandbox.start(),
  );
  const connection: SandboxConnection = {
    id: sandboxConnectionId,
    name: vscode.l10n.t('Sandbox'),
    kind: 'sandbox',
    role: 'development',
    cubeSets: [...demoCubeSets],
  };
  await deps.connections.save(deps.connections.find(sandboxConnectionId) ?? connection);
}

async function stopSandbox(deps: {
  sandbox: SandboxService;
  sessions: Sessions;
  builds: BuildMonitor;
}): Promise<void> {
  if (await deps.sandbox.stop()) {
    endSessionAndBuilds(deps, { wasStopped: true });
    await showInformation(vscode.l10n.t('The sandbox has stopped. Its data is kept for the next start.'));
  } else {
    await showInformation(
      vscode.l10n.t(
        "This window didn't start the sandbox. Stop it where it was started, for example, in a terminal.",
      ),
    );
  }
}

/** Ends the session and the builds of the sandbox, since after its next start it has another address and no builds. */
function endSessionAndBuilds(
  { sessions, builds }: { sessions: Sessions; builds: BuildMonitor },
  { wasStopped }: { wasStopped: boolean },
): void {
  builds.handleInstanceEnded(sandboxConnectionId, { shouldNotify: !wasStopped });
  sessions.end(sandboxConnectionId);
}
