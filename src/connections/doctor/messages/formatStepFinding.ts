import type { Localize } from '../../../base/localize.ts';
import type { StepFinding, StepReport } from '../diagnosis.ts';
import { getStepLabel } from './doctorStepLabels.ts';

/** The finding of a step, as a sentence without a full stop. */
export const formatStepFinding = (t: Localize, report: StepReport): string =>
  findings[report.finding](t, report);

const findings: Readonly<Record<StepFinding, (t: Localize, report: StepReport) => string>> = {
  'address-usable': (t) => t('the address is valid'),
  'address-unusable': (t) => t('the address is invalid'),
  'sandbox-not-started': (t) => t("the sandbox isn't running"),
  'name-found': (t) => t('the name was resolved'),
  'name-is-address': (t) => t('no name to resolve'),
  'name-unknown': (t, { facts }) => t("can't resolve the name {0}", facts.host ?? ''),
  'resolver-failed': (t, { facts }) => t('no DNS server responded for the name {0}', facts.host ?? ''),
  'port-open': (t) => t('the connection was accepted'),
  'port-closed': (t, { facts }) => t('connection refused on port {0}', facts.port ?? ''),
  'host-unreachable': (t) => t("can't reach the server"),
  'no-proxy': (t) => t('no proxy in use'),
  'proxy-lets-through': (t) => t('it connects to the instance'),
  'proxy-forwards': (t) => t('it forwards requests'),
  'proxy-not-examined': (t) => t("SOCKS proxies aren't tested separately; the platform step uses the proxy"),
  'proxy-setting-unusable': (t) => t('the proxy address is invalid'),
  'proxy-needs-password': (t) => t('the proxy requires a user name and password'),
  'proxy-refuses': (t) => t('the proxy rejected the connection'),
  'not-a-proxy': (t) => t("the configured server doesn't respond like a proxy"),
  'proxy-untrusted': (t) => t("the proxy's certificate isn't trusted"),
  trusted: (t) => t('the certificate is trusted'),
  'expires-soon': (t) => t('the certificate expires soon'),
  unverified: (t) => t("the certificate isn't trusted, but the setting http.proxyStrictSSL is off"),
  'not-encrypted': (t) => t('the token and all data are sent unencrypted'),
  'encryption-not-needed': (t) => t('not required on this machine'),
  'encryption-behind-proxy': (t) => t('tested in the platform step, through the SOCKS proxy'),
  'self-signed': (t) => t('the certificate is self-signed'),
  'unknown-authority': (t) => t("the certificate authority isn't known on this machine"),
  expired: (t) => t('the certificate has expired'),
  'not-yet-valid': (t) => t("the certificate isn't valid yet"),
  'other-name': (t) => t('the certificate is for a different host name'),
  untrusted: (t) => t("the certificate isn't trusted"),
  'no-handshake': (t) => t("the server doesn't use TLS on this port"),
  'certificate-file-unusable': (t) => t("can't use the file with additional certificates"),
  answers: (t) => t('the platform responded and requires a token'),
  'web-page': (t) => t('a web page was returned instead of a response from the platform'),
  'sent-elsewhere': (t) => t('the server redirects to another address'),
  'nothing-there': (t) => t("the platform wasn't found at this address"),
  'server-error': (t) => t('the server returned an error'),
  'not-the-platform': (t) => t("the response isn't from the platform"),
  'exchange-failed': (t) => t('no response'),
  'token-accepted': (t) => t('the server accepted it'),
  'token-refused': (t) => t('the server rejected it'),
  'no-token': (t) => t('no token: the connection is signed out'),
  'token-unusable': (t) => t("it contains characters that can't be sent"),
  administrator: (t) => t('the user can change data security rules'),
  'no-administrator': (t) => t("the user can't change data security rules"),
  'refuses-writes': (t, { facts }) =>
    facts.refusal === 'locked'
      ? t('not tested: it requires a write, and the connection is locked')
      : t('not tested: it requires a write, and the connection is read-only'),
  'viewpoints-run': (t) => t("it's running"),
  'viewpoints-not-ready': (t) => t("it responded but isn't ready"),
  'no-viewpoints': (t) => t('not available on this instance'),
  unclear: (t) => t('the response was unclear'),
  'timed-out': (t) => t('it took too long'),
  'failed-otherwise': (t) => t('it failed unexpectedly'),
  'not-reached': (t, { failedDependency }) =>
    failedDependency === undefined ? t('not tested') : t('{0} failed', getStepLabel(t, failedDependency)),
};
