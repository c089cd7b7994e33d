import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { decodeUtf8 } from '../../base/decodeText.ts';
import { findByAddress, getStrictestRole } from '../../connections/addressRoles.ts';
import type { RemoteConnection } from '../../connections/connection.ts';
import {
  SharedConnectionsError,
  parseSharedConnections,
  filterNewConnections,
  formatSharedConnections,
} from '../../connections/sharedConnections.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { describeAddressProblem } from './connectionLabels.ts';
import type { ConnectionsDeps } from './deps.ts';

const filters = { JSON: ['json'] };

/** Exports the connections that the user picks, without tokens, to a file that others can import. */
export async function exportConnections({ connections }: ConnectionsDeps): Promise<void> {
  const remoteConnections = connections.saved.filter((connection) => connection.kind === 'remote');
  if (remoteConnections.length === 0) {
    await showInformation(vscode.l10n.t("No connections to export. The sandbox can't be shared."));
    return;
  }
  const title = vscode.l10n.t('Export Connections');
  const pickedConnections = await pickConnections(title, remoteConnections);
  if (pickedConnections === undefined) {
    return;
  }
  if (pickedConnections.length === 0) {
    await showInformation(vscode.l10n.t('Nothing was exported. Select at least one connection.'));
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const defaultUri = vscode.Uri.joinPath(folder, 'connections.json');
  const target = await vscode.window.showSaveDialog({ filters, title, defaultUri });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(
      target,
      new TextEncoder().encode(formatSharedConnections(pickedConnections)),
    );
    await showInformation(
      vscode.l10n.t('Connections exported: {0}. The file contains no tokens.', pickedConnections.length),
    );
  }
}

/** Lets the user pick connections, all of which are preselected; a single one is returned without asking. */
async function pickConnections(
  title: string,
  connections: readonly RemoteConnection[],
): Promise<readonly RemoteConnection[] | undefined> {
  if (connections.length === 1) {
    return connections;
  }
  const pickedItems = await vscode.window.showQuickPick(
    connections.map((connection) => ({
      label: toPlainText(connection.name),
      description: getRoleLabel(connection.role),
      detail: connection.url,
      picked: true,
      connection,
    })),
    {
      title,
      placeHolder: vscode.l10n.t('Select the connections to export'),
      canPickMany: true,
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  return pickedItems?.map(({ connection }) => connection);
}

/** Imports connections from a file, without tokens: the user must sign in. Existing connections are not changed. */
export async function importConnections({ connections }: ConnectionsDeps): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({ filters, title: vscode.l10n.t('Import Connections') })) ?? [];
  if (source === undefined) {
    return;
  }
  const parseResult = parseConnections(decodeUtf8(await vscode.workspace.fs.readFile(source)));
  if ('problem' in parseResult) {
    const name = source.path.slice(source.path.lastIndexOf('/') + 1);
    await showError(vscode.l10n.t("Can't import {0}. {1}", name, parseResult.problem));
    return;
  }
  const newConnections = filterNewConnections(parseResult.connections, connections.all);
  for (const connection of newConnections) {
    // A file must not make an instance writable that is locked here.
    const knownRoles = findByAddress(connections.all, connection.url).map(({ role }) => role);
    const role = getStrictestRole([connection.role, ...knownRoles]) ?? connection.role;
    await connections.save({ ...connection, role });
  }
  await showInformation(
    newConnections.length === 0
      ? vscode.l10n.t('All connections in the file are already present.')
      : vscode.l10n.t(
          'Connections added: {0}, already present: {1}. Sign in to each one with your own token.',
          newConnections.length,
          parseResult.connections.length - newConnections.length,
        ),
  );
}

/** Parses an exported file; returns a message if it is invalid. */
function parseConnections(
  text: string | undefined,
): { readonly connections: readonly RemoteConnection[] } | { readonly problem: string } {
  if (text === undefined) {
    return { problem: vscode.l10n.t("The file isn't valid UTF-8.") };
  }
  try {
    return { connections: parseSharedConnections(text, randomUUID) };
  } catch (error) {
    if (!(error instanceof SharedConnectionsError)) {
      throw error;
    }
    const { path } = error;
    const message = describeProblem(error);
    return { problem: path === '' ? message : `${path}: ${message}` };
  }
}

function describeProblem({ reason, addressProblem, choices }: SharedConnectionsError): string {
  if (addressProblem !== undefined) {
    return describeAddressProblem(addressProblem);
  }
  return choices.length === 0 ? reason : vscode.l10n.t('Expected: {0}.', choices.join(', '));
}
