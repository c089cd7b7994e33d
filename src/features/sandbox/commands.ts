import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { type SandboxConnection, sandboxConnectionId } from '../../connections/connection.ts';
import { demoCubeSets } from '../../connections/demoCubeSets.ts';
import { views } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import type { SandboxService } from '../../sandbox/host/sandboxService.ts';

/**
 * Starts the sandbox, and adds a connection to it unless there is one already.
 * @throws SandboxStartError when it does not start
 */
export async function startSandbox(deps: {
  readonly sandbox: SandboxService;
  readonly connections: ConnectionStore;
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

/**
 * Stops the sandbox if this window has started it, and shows a message.
 * @param endSession ends what depends on the sandbox once it has stopped
 */
export async function stopSandbox(sandbox: SandboxService, endSession: () => void): Promise<void> {
  if (await sandbox.stop()) {
    endSession();
    await showInformation(vscode.l10n.t('The sandbox has stopped. Its data is kept for the next start.'));
  } else {
    await showInformation(
      vscode.l10n.t(
        "This window didn't start the sandbox. Stop it where it was started, for example, in a terminal.",
      ),
    );
  }
}
