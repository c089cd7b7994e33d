import type { Localize } from '../../../base/localize.ts';
import type { Finding, StepReport } from '../step.ts';
import { getStepLabel } from './doctorStepLabels.ts';

/** The finding of a step, as a sentence without a full stop. */
export const formatFinding = (t: Localize, report: StepReport): string => findings[report.finding](t, report);

const findings: Readonly<Record<Finding, (t: Localize, report: StepReport) => string>> = {
  'address-usable': (t) => t('the address can be used'),
  'address-unusable': (t) => t('the address cannot be used'),
  'sandbox-not-started': (t) => t('the sandbox does not run'),
  'name-found': (t) => t('the name is known'),
  'name-is-address': (t) => t('there is no name to look up'),
  'name-unknown': (t, { facts }) => t('the name {0} is not known', facts.host ?? ''),
  'resolver-failed': (t, { facts }) => t('nobody could be asked for the name {0}', facts.host ?? ''),
  'port-open': (t) => t('the connection was accepted'),
  'port-closed': (t, { facts }) => t('nobody accepts connections at port {0}', facts.port ?? ''),
  'host-unreachable': (t) => t('there is no way to the server'),
  'no-proxy': (t) => t('there is none in between'),
  'proxy-lets-through': (t) => t('it leads to the instance'),
  'proxy-forwards': (t) => t('it passes requests on'),
  'proxy-not-examined': (t) => t('a SOCKS proxy is not looked into; the platform step goes through it'),
  'proxy-setting-unusable': (t) => t('the proxy that is set is no usable address'),
  'proxy-needs-password': (t) => t('the proxy asks for a user and a password'),
  'proxy-refuses': (t) => t('the proxy does not let the connection through'),
  'proxy-speaks-otherwise': (t) => t('what is set as the proxy does not answer as one'),
  'proxy-untrusted': (t) => t('no secure connection to the proxy could be made'),
  trusted: (t) => t('the certificate is trusted'),
  'expires-soon': (t) => t('the certificate runs out soon'),
  unverified: (t) => t('the certificate is not trusted, but the setting http.proxyStrictSSL is off'),
  'not-encrypted': (t) => t('the token and all data travel readable for everyone on the way'),
  'encryption-not-needed': (t) => t('not needed on this machine'),
  'encryption-behind-proxy': (t) => t('looked at in the platform step, behind the SOCKS proxy'),
  'self-signed': (t) => t('the server vouches for its certificate itself'),
  'unknown-authority': (t) => t('the authority of the certificate is not known on this machine'),
  expired: (t) => t('the certificate has run out'),
  'not-yet-valid': (t) => t('the certificate is not valid yet'),
  'other-name': (t) => t('the certificate is for another name'),
  untrusted: (t) => t('the certificate is not trusted'),
  'no-handshake': (t) => t('the server does not speak TLS at this port'),
  'certificate-file-unusable': (t) => t('the file of further certificates cannot be used'),
  answers: (t) => t('the platform answers and asks for a token'),
  'web-page': (t) => t('a web page answers in place of the platform'),
  'sent-elsewhere': (t) => t('the server sends requests on to another address'),
  'nothing-there': (t) => t('the platform is not at this address'),
  'server-error': (t) => t('the server has an error'),
  'not-the-platform': (t) => t('what answers is not the platform'),
  'exchange-failed': (t) => t('no answer came'),
  'token-accepted': (t) => t('the server accepts it'),
  'token-refused': (t) => t('the server does not accept it'),
  'no-token': (t) => t('there is none: the connection is signed out'),
  'token-unusable': (t) => t('it holds characters that cannot be sent'),
  administrator: (t) => t('the user may change data security rules'),
  'no-administrator': (t) => t('the user may not change data security rules'),
  'refuses-writes': (t, { facts }) =>
    facts.refusal === 'locked'
      ? t('not asked: it takes a write, and the connection is locked')
      : t('not asked: it takes a write, and the connection is read-only'),
  'viewpoints-run': (t) => t('it runs'),
  'viewpoints-not-ready': (t) => t('it answers, but says that it is not ready'),
  'no-viewpoints': (t) => t('this instance has none'),
  unclear: (t) => t('the server said neither yes nor no'),
  'timed-out': (t) => t('it took too long'),
  'failed-otherwise': (t) => t('it failed in an unforeseen way'),
  'not-reached': (t, { failedDependency }) =>
    failedDependency === undefined
      ? t('not looked at')
      : t('not looked at, since {0} failed', getStepLabel(t, failedDependency)),
};
