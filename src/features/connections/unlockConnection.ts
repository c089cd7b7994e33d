import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { unlockForWriting } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import type { ConnectionsDeps } from './deps.ts';

/** Unlocks a production connection for writes for some minutes, after the user has typed its name. */
export async function unlockConnection({ locks }: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.role === 'production') {
    await unlockForWriting(locks, connection);
    return;
  }
  await showInformation(
    connection.role === 'read-only'
      ? vscode.l10n.t(
          '{0} is read-only. To make changes, edit the connection and change its role.',
          connection.name,
        )
      : vscode.l10n.t("{0} isn't locked.", connection.name),
  );
}

/** Locks an unlocked connection before its time is up. */
export async function lockConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  deps.locks.lock(connection.id);
}
