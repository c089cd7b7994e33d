import * as vscode from 'vscode';
import type { DoctorRemedy, Finding, StepReport } from '../../connections/doctor/step.ts';
import { stepLabel } from './stepWords.ts';

const t = vscode.l10n.t;

/** What a step found, as a sentence without its stop. */
export const findingText = (report: StepReport): string => findings[report.finding](report);

const findings: Readonly<Record<Finding, (report: StepReport) => string>> = {
  'address-usable': () => t('the address can be used'),
  'address-unusable': () => t('the address cannot be used'),
  'sandbox-not-started': () => t('the sandbox does not run'),
  'name-found': () => t('the name is known'),
  'name-is-address': () => t('there is no name to look up'),
  'name-unknown': ({ facts }) => t('the name {0} is not known', facts.host ?? ''),
  'resolver-failed': ({ facts }) => t('nobody could be asked for the name {0}', facts.host ?? ''),
  'port-open': () => t('the connection was accepted'),
  'port-closed': ({ facts }) => t('nobody accepts connections at port {0}', facts.port ?? ''),
  'host-unreachable': () => t('there is no way to the server'),
  'no-proxy': () => t('there is none in between'),
  'proxy-lets-through': () => t('it leads to the instance'),
  'proxy-forwards': () => t('it passes requests on'),
  'proxy-not-examined': () => t('a SOCKS proxy is not looked into; the platform step goes through it'),
  'proxy-setting-unusable': () => t('the proxy that is set is no usable address'),
  'proxy-needs-password': () => t('the proxy asks for a user and a password'),
  'proxy-refuses': () => t('the proxy does not let the connection through'),
  'proxy-speaks-otherwise': () => t('what is set as the proxy does not answer as one'),
  'proxy-untrusted': () => t('no secure connection to the proxy could be made'),
  trusted: () => t('the certificate is trusted'),
  'expires-soon': () => t('the certificate runs out soon'),
  unverified: () => t('the certificate is not trusted, but the setting http.proxyStrictSSL is off'),
  'not-encrypted': () => t('the token and all data travel readable for everybody on the way'),
  'encryption-not-needed': () => t('not needed on this machine'),
  'encryption-behind-proxy': () => t('looked at in the platform step, behind the SOCKS proxy'),
  'self-signed': () => t('the server vouches for its certificate itself'),
  'unknown-authority': () => t('the authority of the certificate is not known on this machine'),
  expired: () => t('the certificate has run out'),
  'not-yet-valid': () => t('the certificate is not valid yet'),
  'other-name': () => t('the certificate is for another name'),
  untrusted: () => t('the certificate is not trusted'),
  'no-handshake': () => t('the server does not speak TLS at this port'),
  'certificate-file-unusable': () => t('the file of further certificates cannot be used'),
  answers: () => t('the platform answers and asks for a token'),
  'web-page': () => t('a web page answers in place of the platform'),
  'sent-elsewhere': () => t('the server sends requests on to another address'),
  'nothing-there': () => t('the platform is not at this address'),
  'server-error': () => t('the server has an error'),
  'not-the-platform': () => t('what answers is not the platform'),
  'exchange-failed': () => t('no answer came'),
  'token-accepted': () => t('the server accepts it'),
  'token-refused': () => t('the server does not accept it'),
  'no-token': () => t('there is none: the connection is signed out'),
  'token-unusable': () => t('it holds characters that cannot be sent'),
  administrator: () => t('the user may change data security rules'),
  'no-administrator': () => t('the user may not change data security rules'),
  'refuses-writes': ({ facts }) =>
    facts.refusal === 'locked'
      ? t('not asked: it takes a write, and the connection is locked')
      : t('not asked: it takes a write, and the connection is read-only'),
  'viewpoints-run': () => t('it runs'),
  'no-viewpoints': () => t('this instance has none'),
  unclear: () => t('the server said neither yes nor no'),
  'timed-out': () => t('it took too long'),
  'failed-otherwise': () => t('it failed in an unforeseen way'),
  'not-reached': ({ because }) =>
    because === undefined ? t('not looked at') : t('not looked at, since {0} failed', stepLabel(because)),
};

/** What the person can do. */
export const remedyText = (remedy: DoctorRemedy): string => remedies[remedy]();

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
    t('Everything else works. Ask those who run the server for its release and licence.'),
};
