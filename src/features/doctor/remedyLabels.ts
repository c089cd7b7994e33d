import * as vscode from 'vscode';
import type { DoctorRemedy } from '../../connections/doctor/diagnosis.ts';

const t = vscode.l10n.t;

/** Describes what the user can do about a problem. */
export const describeRemedy = (remedy: DoctorRemedy): string => remedies[remedy]();

const remedies: Readonly<Record<DoctorRemedy, () => string>> = {
  'edit-connection': () => t('Check the address of the connection.'),
  'start-sandbox': () => t('Start the sandbox again.'),
  'check-network': () => t('Check the network and whether a VPN is required.'),
  'check-proxy': () => t('Check the proxy settings.'),
  'check-certificate': () =>
    t(
      "Check this machine's clock. If it's correct, ask the server's administrator to renew the certificate.",
    ),
  'add-authority': () =>
    t('Save the certificate of the certificate authority as a PEM file and add its path to the settings.'),
  'verify-certificates': () => t('Others on the network could read the token. Turn the setting back on.'),
  'use-https': () => t('Use the https:// address of the instance.'),
  'check-server': () => t("Try again later or contact the server's administrator."),
  'sign-in': () => t('Sign in with a valid token.'),
  unlock: () => t('Unlock the connection and run the test again.'),
  'ask-administrator': () =>
    t("Ask an administrator for permission, or sign in with an administrator's token."),
  'check-version': () =>
    t("Everything else works. Ask the administrator about the server's version and license."),
};
