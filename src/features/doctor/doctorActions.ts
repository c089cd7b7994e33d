import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { DoctorRemedy } from '../../connections/doctor/diagnosis.ts';
import { settingsPrefix } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';

/** An action that may fix a problem of a connection. */
export interface DoctorAction {
  readonly label: string;
  /** The ID of a product icon. */
  readonly icon: string;
  readonly run: () => Promise<void>;
  /** True if the test should run again after the action; false if the user continues elsewhere. */
  readonly shouldRetest: boolean;
}

const t = vscode.l10n.t;

/** Returns the action for a remedy; `undefined` if the user cannot act in VS Code. */
export function getRemedyAction(remedy: DoctorRemedy, connection: Connection): DoctorAction | undefined {
  const target = { connectionId: connection.id };
  if (connection.kind === 'sandbox' && (remedy === 'edit-connection' || remedy === 'sign-in')) {
    // The address and token of the sandbox are not entered: starting it determines both.
    return getRemedyAction('start-sandbox', connection);
  }
  switch (remedy) {
    case 'edit-connection':
    case 'use-https':
      return createRetestAction(t('Edit Connection…'), 'edit', () =>
        runCommand('datamodelStudio.connections.edit', target),
      );
    case 'start-sandbox':
      return createRetestAction(t('Start Sandbox'), 'play', () =>
        runCommand('datamodelStudio.sandbox.start'),
      );
    case 'sign-in':
    // The user signs in again with the token that the administrator provides.
    case 'ask-administrator':
      return createRetestAction(t('Sign In…'), 'key', () =>
        runCommand('datamodelStudio.connections.signIn', target),
      );
    case 'unlock':
      return createRetestAction(t('Unlock for Writing…'), 'unlock', () =>
        runCommand('datamodelStudio.connections.unlock', target),
      );
    case 'check-proxy':
      return createNavigationAction(t('Open Proxy Settings'), 'settings-gear', () =>
        openSettings('http.proxy'),
      );
    case 'verify-certificates':
      return createNavigationAction(t('Open Certificate Settings'), 'settings-gear', () =>
        openSettings('@id:http.proxyStrictSSL'),
      );
    case 'add-authority':
      return createNavigationAction(t('Open Certificate Settings'), 'settings-gear', () =>
        openSettings(`@id:${settingsPrefix}.network.certificateFile`),
      );
    case 'check-network':
    case 'check-certificate':
    case 'check-server':
    case 'check-version':
      return undefined;
  }
}

/** Creates an action after which the test should run again. */
const createRetestAction = (label: string, icon: string, run: () => Promise<void>): DoctorAction => ({
  label,
  icon,
  run,
  shouldRetest: true,
});

/** Creates an action that opens a view or editor in which the user continues. */
export const createNavigationAction = (
  label: string,
  icon: string,
  run: () => Promise<void>,
): DoctorAction => ({
  label,
  icon,
  run,
  shouldRetest: false,
});

async function openSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}
