import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { readProfiles, writeProfiles } from '../../connections/profiles.ts';
import { showInformation } from '../../platform/messages.ts';
import type { ConnectionsDeps } from './deps.ts';

const filters = { JSON: ['json'] };

/** Writes the connections, without secrets, into a file for colleagues. */
export async function exportConnections({ connections }: ConnectionsDeps): Promise<void> {
  const remote = connections.all.filter(({ kind }) => kind === 'remote');
  if (remote.length === 0) {
    await showInformation(
      vscode.l10n.t('There is no connection to export. The sandbox is every machine’s own.'),
    );
    return;
  }
  const target = await vscode.window.showSaveDialog({ filters, title: vscode.l10n.t('Export Connections') });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(writeProfiles(remote)));
    await showInformation(
      vscode.l10n.t('{0} connections were exported. The file holds no token.', remote.length),
    );
  }
}

/** Adds the connections of a file. They start signed out, and nothing that is there already is changed. */
export async function importConnections({ connections }: ConnectionsDeps): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({ filters, title: vscode.l10n.t('Import Connections') })) ?? [];
  if (source === undefined) {
    return;
  }
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(source));
  const imported = readProfiles(text, randomUUID);
  const known = new Set(connections.all.map((known) => (known.kind === 'remote' ? known.url : '')));
  const fresh = imported.filter(({ url }) => !known.has(url));
  for (const connection of fresh) {
    await connections.save(connection);
  }
  await showInformation(
    vscode.l10n.t(
      '{0} connections were added, {1} were there already. Sign in to each with your own token.',
      fresh.length,
      imported.length - fresh.length,
    ),
  );
}
