import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { WriteLocks } from '../connections/writeLocks.ts';
import { runCommand } from './commands.ts';
import { showWarning } from './messages.ts';
import { promptForChoice, promptForText } from './wizard.ts';
import { createConditionalStep, runWizard } from './wizardSteps.ts';

const minuteMs = 60_000;
/** How long the user can unlock a connection, in minutes. */
const durations = [5, 15, 60];

/** The dependencies of commands that write. */
export interface WriteAccessDeps {
  readonly connections: ConnectionStore;
  readonly locks: WriteLocks;
}

interface UnlockOptions {
  /** The name of the connection if the user has just typed it, so that it isn't asked for again. */
  readonly typedName?: string | undefined;
}

/**
 * Returns whether a connection may be written to now. A locked one is unlocked first, if the user wants to, so that the
 * command can continue. Commands call this before they ask for anything, so that no entered text is lost. The client
 * itself refuses writes to a locked or read-only connection (`client/guard.ts`).
 * @param options passed to {@link unlockForWriting}, which asks for the name of the connection
 */
export async function ensureWritable(
  deps: WriteAccessDeps,
  connectionId: string,
  options: UnlockOptions = {},
): Promise<boolean> {
  const connection = deps.connections.find(connectionId);
  return connection !== undefined && deps.locks.getRefusal(connection) === 'locked'
    ? unlockForWriting(deps.locks, connection, options)
    : ensureNotReadOnly(deps, connectionId);
}

/**
 * Returns whether a connection isn't read-only, so that it may be written to, at the latest once it's unlocked;
 * otherwise shows a warning. For commands that first show what they would write, and call {@link ensureWritable} when
 * the user confirms.
 */
export function ensureNotReadOnly({ connections, locks }: WriteAccessDeps, connectionId: string): boolean {
  const connection = connections.find(connectionId);
  if (connection === undefined || locks.getRefusal(connection) !== 'read-only') {
    return true;
  }
  void explainReadOnly(connection);
  return false;
}

/**
 * Unlocks a production connection for some minutes after the user has typed its name; returns whether it is unlocked.
 */
export async function unlockForWriting(
  locks: WriteLocks,
  { id, name }: Connection,
  { typedName }: UnlockOptions = {},
): Promise<boolean> {
  const title = vscode.l10n.t('Unlock {0} for Writing', name);
  const minutes = await runWizard<number>(
    [
      (current, position) =>
        promptForChoice(
          { title, placeholder: vscode.l10n.t('Select how long to unlock'), currentValue: current },
          durations.map((value) => ({ label: vscode.l10n.t('{0} minutes', value), value })),
          position,
        ),
      createConditionalStep(
        () => typedName !== name,
        async (value, position) => {
          const answer = await promptForText(
            {
              title,
              prompt: vscode.l10n.t('This is a production instance. Type {0} to confirm.', name),
              validate: (text) =>
                text === name ? undefined : vscode.l10n.t('Type the name of the connection.'),
            },
            position,
          );
          return answer === undefined || answer === 'back' ? answer : { value };
        },
      ),
    ],
    // The duration that is selected at first.
    15,
  );
  if (minutes === undefined) {
    return false;
  }
  locks.unlock(id, minutes * minuteMs);
  return true;
}

/** The command ends without waiting for this, since a message stays until it is dismissed. */
async function explainReadOnly({ id, name }: Connection): Promise<void> {
  const editLabel = vscode.l10n.t('Edit Connection…');
  const text = vscode.l10n.t(
    '{0} is read-only. To make changes, edit the connection and change its role.',
    name,
  );
  if ((await showWarning(text, editLabel)) === editLabel) {
    await runCommand('datamodelStudio.connections.edit', { connectionId: id });
  }
}
