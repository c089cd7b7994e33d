import * as vscode from 'vscode';
import type { DoctorRemedy } from '../../connections/doctor/step.ts';

const t = vscode.l10n.t;

/** Describes what the user can do about a problem. */
export const describeRemedy = (remedy: DoctorRemedy): string => remedies[remedy]();

const remedies: Readonly<Record<DoctorRemedy, () => string>> = {
  'edit-connection': () => t('Check the address of the connection.'),
  'start-sandbox': () => t('Start the sandbox again.'),
  'check-network': () => t('Check the network, and whether a VPN is needed.'),
  'check-proxy': () => t('Check the proxy settings.'),
  'check-certificate': () => t("Check this machine's clock; else ask those who run the server to renew it."),
  'add-authority': () =>
    t('Save the certificate of its authority as a PEM file and name that in the settings.'),
  'verify-certificates': () => t('Anybody on the way could read the token. Turn the setting on again.'),
  'use-https': () => t('Use the https:// address of the instance.'),
  'check-server': () => t('Try again later; else ask those who run the server.'),
  'sign-in': () => t('Sign in with a valid token.'),
  unlock: () => t('Unlock the connection and run the test again to find out.'),
  'ask-administrator': () => t('Ask an administrator for the right, or sign in with the token of one.'),
  'check-version': () =>
    t('Everything else works. Ask those who run the server for its release and license.'),
};
