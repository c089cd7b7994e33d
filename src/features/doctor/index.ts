import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Diagnosis } from '../../connections/doctor/step.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { signalOf } from '../../platform/cancellation.ts';
import { registerCommand } from '../../platform/commands.ts';
import { pickConnection } from '../../platform/pickConnection.ts';
import type { DoctorFeatureDeps } from './deps.ts';
import { stepLabel } from './stepWords.ts';

/** Testing a connection step by step, with what helps. */
export function register(deps: DoctorFeatureDeps): Disposable {
  return registerCommand('datamodelStudio.connections.test', deps.log, (target) => test(deps, target));
}

async function test(deps: DoctorFeatureDeps, target: ConnectionTarget | undefined): Promise<void> {
  const given = target === undefined ? undefined : deps.connections.find(target.connectionId);
  // Its words and screens are loaded when they are needed: activation stays small (design.md, section 12).
  const { showDiagnosis } = await import('./showDiagnosis.ts');
  let connection = given ?? (await pickConnection(deps.connections, vscode.l10n.t('Connection to test')));
  while (connection !== undefined) {
    const diagnosis = await examine(deps, connection);
    const wish = await showDiagnosis(diagnosis, deps.version);
    // It may have been edited or removed meanwhile.
    connection = wish === 'again' ? deps.connections.find(connection.id) : undefined;
  }
}

function examine({ doctor }: DoctorFeatureDeps, connection: Connection): Thenable<Diagnosis> {
  const title = vscode.l10n.t('Testing {0}', connection.name);
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const linked = signalOf(token);
    try {
      return await doctor.diagnose(connection, {
        signal: linked.signal,
        onStep: (step) => progress.report({ message: stepLabel(step) }),
      });
    } finally {
      linked.dispose();
    }
  });
}
