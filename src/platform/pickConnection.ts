import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CurrentConnection } from '../connections/currentConnection.ts';
import type { ConnectionTarget } from '../contributions.ts';
import { showInformation } from './messages.ts';
import { toPlainText } from './serverText.ts';
import { getRoleLabel } from './roleLabels.ts';

/** The dependencies of commands that act on one connection. */
export interface ConnectionPickerDeps {
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
}

/** The options of the connection picker. */
export interface ConnectionPickOptions {
  readonly title?: string;
  readonly placeholder: string;
  /** Limits the choice to allowed connections, with the message to show if there are none. */
  readonly filter?: {
    readonly isAllowed: (connection: Connection) => boolean;
    readonly emptyMessage: string;
  };
}

/** The description of a connection in lists. */
export const describeConnection = (
  { currentConnection: current }: ConnectionPickerDeps,
  { id, role }: Connection,
): string =>
  current.value?.id === id ? vscode.l10n.t('{0}, current', getRoleLabel(role)) : getRoleLabel(role);

/**
 * The connection of the target if a menu passed one, otherwise the only connection or the one that the user picks.
 */
export async function resolveTargetConnection(
  deps: ConnectionPickerDeps,
  target: ConnectionTarget | undefined,
  options: ConnectionPickOptions,
): Promise<Connection | undefined> {
  const targetConnection = target === undefined ? undefined : deps.connections.find(target.connectionId);
  return targetConnection ?? pickConnection(deps, options);
}

/** Lets the user pick a connection, with the current one first; a single connection is returned without asking. */
async function pickConnection(
  deps: ConnectionPickerDeps,
  { title, placeholder, filter }: ConnectionPickOptions,
): Promise<Connection | undefined> {
  const connections = deps.currentConnection.allCurrentFirst;
  const candidates = filter === undefined ? connections : connections.filter(filter.isAllowed);
  const [first, second] = candidates;
  if (first === undefined) {
    const emptyMessage = vscode.l10n.t('No connections found. Add a connection or start the sandbox.');
    await showInformation(
      connections.length === 0 || filter === undefined ? emptyMessage : filter.emptyMessage,
    );
    return undefined;
  }
  if (second === undefined) {
    return first;
  }
  const pickedItem = await vscode.window.showQuickPick(
    candidates.map((connection) => ({
      label: toPlainText(connection.name),
      description: describeConnection(deps, connection),
      detail: connection.kind === 'remote' ? connection.url : vscode.l10n.t('Sandbox on this machine'),
      connection,
    })),
    {
      title: title ?? vscode.l10n.t('Connections'),
      placeHolder: placeholder,
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  return pickedItem?.connection;
}
