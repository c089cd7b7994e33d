import type { Localize } from '../../../base/localize.ts';
import type { StepOutcome, StepFacts, StepId, StepReport } from '../diagnosis.ts';

/** The label of a step of a connection test. */
export function getStepLabel(t: Localize, step: StepId): string {
  switch (step) {
    case 'address':
      return t('Address');
    case 'dns':
      return t('Name (DNS)');
    case 'tcp':
      return t('Network (TCP)');
    case 'proxy':
      return t('Proxy');
    case 'tls':
      return t('Encryption (TLS)');
    case 'http':
      return t('Platform (HTTP)');
    case 'isauth':
      return t('Token');
    case 'administrator':
      return t('Administrator');
    case 'viewpoints':
      return t('Viewpoint service');
  }
}

export function getOutcomeLabel(t: Localize, outcome: StepOutcome): string {
  switch (outcome) {
    case 'ok':
      return t('OK');
    case 'warning':
      return t('Warning');
    case 'failed':
      return t('Failed');
    case 'skipped':
      return t('Skipped');
  }
}

/** True for results that need the user's attention. */
export const isProblem = ({ outcome }: StepReport): boolean => outcome === 'failed' || outcome === 'warning';

/**
 * The texts of the facts of a step; at the level `brief`, those that only experts need are omitted.
 * @param formatDay formats a date without its time
 */
export function formatFacts(
  t: Localize,
  report: StepReport,
  {
    detailLevel,
    formatDay,
  }: { readonly detailLevel: 'brief' | 'full'; readonly formatDay: (date: Date) => string },
): readonly string[] {
  const { facts, ms, outcome, requirements } = report;
  const isFull = detailLevel === 'full';
  const isDetailed = isFull || isProblem(report);
  return [
    requirements === undefined || !isDetailed ? undefined : formatRequirements(t, requirements),
    facts.url,
    facts.proxy === undefined || !(isDetailed || report.step === 'proxy')
      ? undefined
      : formatProxySource(t, facts.proxy, facts.proxySource),
    formatHost(t, facts),
    isFull ? facts.protocol : undefined,
    facts.chain && facts.chain.length > 0 ? facts.chain.join(' ← ') : undefined,
    isFull || report.finding === 'other-name' ? formatNames(t, facts) : undefined,
    formatValidity(t, facts, formatDay),
    facts.status === undefined || !isDetailed ? undefined : t('status {0}', facts.status),
    facts.targetOrigin,
    facts.serverMessage === undefined ? undefined : `"${facts.serverMessage}"`,
    isFull || facts.chain === undefined ? facts.reason : undefined,
    outcome === 'skipped' || ms < 1 ? undefined : t('{0} ms', Math.round(ms)),
  ].filter((text) => text !== undefined);
}

const formatNames = (t: Localize, { names = [] }: StepFacts): string | undefined =>
  names.length === 0 ? undefined : t('for {0}', joinShortened(t, names));

const formatProxySource = (t: Localize, proxy: string, source: StepFacts['proxySource']): string =>
  source === 'setting'
    ? t('through proxy {0} from the setting http.proxy', proxy)
    : t('through proxy {0} from the environment', proxy);

function formatHost(t: Localize, { host, port, addresses = [] }: StepFacts): string | undefined {
  if (host === undefined) {
    return undefined;
  }
  const hostAndPort = port === undefined ? host : `${host}:${port}`;
  const otherAddresses = addresses.filter((address) => address !== host);
  return otherAddresses.length === 0 ? hostAndPort : `${hostAndPort} → ${joinShortened(t, otherAddresses)}`;
}

function formatValidity(
  t: Localize,
  { validFrom, validTo }: StepFacts,
  formatDay: (date: Date) => string,
): string | undefined {
  if (validFrom === undefined || validTo === undefined) {
    return undefined;
  }
  return t('valid {0} – {1}', formatDay(validFrom), formatDay(validTo));
}

const formatRequirements = (t: Localize, { since, license }: { since: string; license?: string }): string =>
  license === undefined
    ? t('requires version {0}', since)
    : t('requires version {0} and the licensed feature {1}', since, license);

const maxListed = 3;

const joinShortened = (t: Localize, texts: readonly string[]): string =>
  texts.length <= maxListed
    ? texts.join(', ')
    : t('{0}, and {1} more', texts.slice(0, maxListed).join(', '), texts.length - maxListed);
