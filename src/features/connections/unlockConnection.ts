import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { showInformation } from '../../platform/messages.ts';
import { promptForChoice, promptForText } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import type { ConnectionsDeps } from './deps.ts';

const minuteMs = 60_000;
const durations = [5, 15, 60];

/** Unlocks a production connection for writes for some minutes, after the user has typed its name. */
export async function unlockConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.role !== 'production') {
    await showInformation(
      connection.role === 'read-only'
        ? vscode.l10n.t('{0} is read-only: edit the connection to change its role.', connection.name)
        : vscode.l10n.t('{0} is not locked.', connection.name),
    );
    return;
  }
  const title = vscode.l10n.t('Unlock {0} for Writing', connection.name);
  const minutes = await runWizard<number>(
    [
      (current, position) =>
        promptForChoice(
          { title, placeholder: vscode.l10n.t('For how long?'), current },
          durations.map((value) => ({ label: vscode.l10n.t('{0} minutes', value), value })),
          position,
        ),
      async (value, position) => {
        const answer = await promptForText(
          {
            title,
            prompt: vscode.l10n.t('This is a production instance. Type {0} to confirm.', connection.name),
            validate: (text) =>
              text === connection.name ? undefined : vscode.l10n.t('Type the name of the connection.'),
          },
          position,
        );
        return answer === undefined || answer === 'back' ? answer : { value };
      },
    ],
    15,
  );
  if (minutes !== undefined) {
    deps.locks.unlock(connection.id, minutes * minuteMs);
  }
}

/** Locks an unlocked connection before its time is up. */
export async function lockConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  deps.locks.lock(connection.id);
}
