import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { runCommand } from '../../platform/commands.ts';
import { describeConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import { getLockIcon, getWriteAccess } from './writeAccess.ts';

interface ConnectionItem extends vscode.QuickPickItem {
  readonly run?: () => void | Promise<void>;
}

/**
 * Lets the user pick the current connection of this workspace, unlock or lock the one in use, or add a connection.
 * @param shownConnection the connection in the status bar item, which runs this command
 */
export async function switchConnection(
  deps: CurrentConnectionDeps,
  shownConnection: Connection | undefined,
): Promise<void> {
  const items: readonly ConnectionItem[] = [
    ...deps.currentConnection.allCurrentFirst.map((connection) => createConnectionItem(deps, connection)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...createLockItems(deps, shownConnection),
    {
      label: vscode.l10n.t('Add Connection…'),
      run: () => runCommand('datamodelStudio.connections.add'),
    },
  ];
  const selectedItem = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Switch Connection'),
    placeHolder: vscode.l10n.t('Select the connection to use in this workspace'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await selectedItem?.run?.();
}

/** Creates the item that unlocks or locks a connection: users may click its status bar item for that. */
function createLockItems(
  { locks }: CurrentConnectionDeps,
  shownConnection: Connection | undefined,
): readonly ConnectionItem[] {
  if (shownConnection === undefined) {
    return [];
  }
  const { kind } = getWriteAccess(shownConnection, locks);
  if (kind === 'locked') {
    return [
      {
        label: vscode.l10n.t('Unlock {0} for Writing…', toPlainText(shownConnection.name)),
        run: () => runCommand('datamodelStudio.connections.unlock', { connectionId: shownConnection.id }),
      },
    ];
  }
  return kind === 'unlocked'
    ? [
        {
          label: vscode.l10n.t('Lock {0}', toPlainText(shownConnection.name)),
          run: () => runCommand('datamodelStudio.connections.lock', { connectionId: shownConnection.id }),
        },
      ]
    : [];
}

function createConnectionItem(deps: CurrentConnectionDeps, connection: Connection): ConnectionItem {
  const { currentConnection, locks } = deps;
  const { id, name, kind } = connection;
  const icon =
    getLockIcon(getWriteAccess(connection, locks)) ?? (kind === 'sandbox' ? 'beaker' : 'server-environment');
  return {
    label: `$(${icon}) ${toPlainText(name)}`,
    description: describeConnection(deps, connection),
    detail: connection.kind === 'remote' ? connection.url : vscode.l10n.t('Sandbox on this machine'),
    run: () => currentConnection.switchTo(id),
  };
}
