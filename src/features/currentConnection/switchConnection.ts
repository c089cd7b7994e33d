import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { runCommand } from '../../platform/commands.ts';
import { plainText } from '../../platform/plainText.ts';
import { roleLabel } from '../../platform/roleWords.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import { lockIcon, writeState } from './writeWords.ts';

interface Row extends vscode.QuickPickItem {
  readonly run?: () => void | Promise<void>;
}

/** Lets a person choose the connection to work on in this workspace, or add one. */
export async function switchConnection(deps: CurrentConnectionDeps): Promise<void> {
  const { connections, current } = deps;
  const rows: readonly Row[] = [
    ...currentFirst(connections.all, current.value).map((connection) => connectionRow(deps, connection)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('Add Connection…'),
      run: () => runCommand('datamodelStudio.connections.add'),
    },
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Switch Connection'),
    placeHolder: vscode.l10n.t('Connection to work on in this workspace'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await picked?.run?.();
}

const currentFirst = (all: readonly Connection[], current: Connection | undefined): readonly Connection[] =>
  current === undefined ? all : [current, ...all.filter(({ id }) => id !== current.id)];

function connectionRow({ current, locks }: CurrentConnectionDeps, connection: Connection): Row {
  const { id, name, role, kind } = connection;
  const icon =
    lockIcon(writeState(connection, locks)) ?? (kind === 'sandbox' ? 'beaker' : 'server-environment');
  return {
    label: `$(${icon}) ${plainText(name)}`,
    description: current.value?.id === id ? vscode.l10n.t('{0}, current', roleLabel(role)) : roleLabel(role),
    detail: connection.kind === 'remote' ? connection.url : vscode.l10n.t('The sandbox on this machine'),
    run: () => current.switchTo(id),
  };
}
