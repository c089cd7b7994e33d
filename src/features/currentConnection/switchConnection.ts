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

/** Lets the user pick the current connection of this workspace, unlock it, or add a connection. */
export async function switchConnection(deps: CurrentConnectionDeps): Promise<void> {
  const rows: readonly ConnectionItem[] = [
    ...deps.current.allCurrentFirst.map((connection) => createConnectionItem(deps, connection)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...createUnlockItems(deps),
    {
      label: vscode.l10n.t('Add Connection…'),
      run: () => runCommand('datamodelStudio.connections.add'),
    },
  ];
  const selectedItem = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Switch Connection'),
    placeHolder: vscode.l10n.t('Connection to work on in this workspace'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await selectedItem?.run?.();
}

/** Creates the item that unlocks a locked connection: users may click its status bar item for that. */
function createUnlockItems({ current, locks }: CurrentConnectionDeps): readonly ConnectionItem[] {
  const { value } = current;
  return value === undefined || getWriteAccess(value, locks).kind !== 'locked'
    ? []
    : [
        {
          label: vscode.l10n.t('Unlock {0} for Writing…', toPlainText(value.name)),
          run: () => runCommand('datamodelStudio.connections.unlock', { connectionId: value.id }),
        },
      ];
}

function createConnectionItem(deps: CurrentConnectionDeps, connection: Connection): ConnectionItem {
  const { current, locks } = deps;
  const { id, name, kind } = connection;
  const icon =
    getLockIcon(getWriteAccess(connection, locks)) ?? (kind === 'sandbox' ? 'beaker' : 'server-environment');
  return {
    label: `$(${icon}) ${toPlainText(name)}`,
    description: describeConnection(deps, connection),
    detail: connection.kind === 'remote' ? connection.url : vscode.l10n.t('The sandbox on this machine'),
    run: () => current.switchTo(id),
  };
}
