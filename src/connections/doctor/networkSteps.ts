import { ProxySettingError } from '../../client/network.ts';
import { parseAddress } from '../parseAddress.ts';
import type { DiagnosisContext } from './diagnosisContext.ts';
import { getFailureCode } from './failureCode.ts';
import { type Route, getProxyAuthorization, findRoute, formatProxy, formatTunnelTarget } from './route.ts';
import type { DoctorRemedy, StepFinding, StepResult } from './diagnosis.ts';
import { getCertificateFinding, loadCertificates, startTls } from './tlsStep.ts';

/**
 * Determines the address of the instance and the route to it. Starts the sandbox first if the connection is the sandbox
 * and it isn't running.
 */
export async function checkAddress(context: DiagnosisContext): Promise<StepResult> {
  const { connection, deps } = context;
  let address: string;
  try {
    address = await context.withTimeout(() => deps.ensureAddress(connection));
  } catch (error) {
    context.signal.throwIfAborted();
    return {
      outcome: 'failed',
      finding: 'sandbox-not-started',
      remedy: 'start-sandbox',
      facts: { reason: error instanceof Error ? error.message : String(error) },
    };
  }
  const parsedAddress = parseAddress(address);
  if (parsedAddress.problem !== undefined) {
    return {
      outcome: 'failed',
      finding: 'address-unusable',
      remedy: 'edit-connection',
      facts: { reason: parsedAddress.problem },
    };
  }
  context.address = parsedAddress.url;
  return chooseRoute(context, parsedAddress.url);
}

/** The route is determined before the first request: a configured proxy is never bypassed. */
function chooseRoute(context: DiagnosisContext, url: string): StepResult {
  try {
    context.route = findRoute(url, context.deps.getNetworkSettings());
    return { outcome: 'ok', finding: 'address-usable', facts: { url, ...getProxyFacts(context.route) } };
  } catch (error) {
    if (error instanceof ProxySettingError) {
      return { outcome: 'failed', finding: 'proxy-setting-unusable', remedy: 'check-proxy', facts: { url } };
    }
    throw error;
  }
}

/** Resolves the host to connect to: the proxy if there is one, otherwise the instance. */
export async function checkHostName(context: DiagnosisContext): Promise<StepResult> {
  const { host } = context.route;
  const facts = { host, ...getProxyFacts(context.route) };
  if (/^\[|^\d+(\.\d+){3}$/.test(host)) {
    return { outcome: 'ok', finding: 'name-is-address', facts };
  }
  try {
    const addresses = await context.withTimeout((signal) => context.deps.probes.lookup(host, signal));
    return { outcome: 'ok', finding: 'name-found', facts: { ...facts, addresses } };
  } catch (error) {
    context.signal.throwIfAborted();
    const code = getFailureCode(error);
    // Only these mean that the name does not exist; with other codes, no name server could be queried.
    return code === 'ENOTFOUND' || code === 'ENODATA'
      ? { outcome: 'failed', finding: 'name-unknown', remedy: getRemedy(context.route), facts }
      : {
          outcome: 'failed',
          finding: 'resolver-failed',
          remedy: 'check-network',
          facts: { ...facts, reason: code },
        };
  }
}

/** Connects to the instance, or to the proxy in between. */
export async function checkPort(context: DiagnosisContext): Promise<StepResult> {
  const { host, port } = context.route;
  const facts = { host, port, ...getProxyFacts(context.route) };
  try {
    context.socket = await context.withTimeout((signal) => context.deps.probes.connect(host, port, signal));
    return {
      outcome: 'ok',
      finding: 'port-open',
      facts: { ...facts, addresses: [context.socket.address] },
    };
  } catch (error) {
    context.signal.throwIfAborted();
    const code = getFailureCode(error);
    if (code === 'ECONNREFUSED') {
      return { outcome: 'failed', finding: 'port-closed', remedy: getRemedy(context.route), facts };
    }
    return {
      outcome: 'failed',
      finding: code === 'timeout' ? 'timed-out' : 'host-unreachable',
      remedy: context.route.proxy === undefined ? 'check-network' : 'check-proxy',
      facts: { ...facts, reason: code },
    };
  }
}

/** Checks that the proxy, if there is one, leads to the instance: with a tunnel for HTTPS, as the client does. */
export async function checkProxy(context: DiagnosisContext): Promise<StepResult> {
  const { proxy, target } = context.route;
  if (proxy === undefined) {
    return { outcome: 'ok', finding: 'no-proxy' };
  }
  const facts = getProxyFacts(context.route);
  if (proxy.protocol.startsWith('socks')) {
    return { outcome: 'skipped', finding: 'proxy-not-examined', facts };
  }
  if (proxy.protocol === 'https:') {
    const failure = await startProxyTls(context, proxy);
    if (failure !== undefined) {
      return { ...failure, facts: { ...facts, ...failure.facts } };
    }
  }
  // The client sends plain HTTP requests to the proxy directly, without a tunnel.
  if (target.protocol === 'http:') {
    return { outcome: 'ok', finding: 'proxy-forwards', facts };
  }
  const result = await openTunnel(context, proxy);
  return { ...result, facts: { ...facts, ...result.facts } };
}

/** Starts TLS with the proxy; returns the result of the step if that fails. */
async function startProxyTls(context: DiagnosisContext, proxy: URL): Promise<StepResult | undefined> {
  const loaded = await loadCertificates(context);
  if ('failure' in loaded) {
    return loaded.failure;
  }
  const attempt = await startTls(context, proxy.hostname, loaded.certificates, {
    timedOut: 'check-proxy',
    noHandshake: 'check-proxy',
  });
  if ('failure' in attempt) {
    return attempt.failure;
  }
  const { problem } = attempt.handshake;
  return problem === undefined || !context.deps.getNetworkSettings().strictSSL
    ? undefined
    : {
        outcome: 'failed',
        finding: 'proxy-untrusted',
        remedy: certificateRemedies[getCertificateFinding(problem)] ?? 'check-certificate',
        facts: { reason: problem },
      };
}

/** The remedies for problems with the certificate of a proxy. */
const certificateRemedies: Readonly<Partial<Record<StepFinding, DoctorRemedy>>> = {
  'self-signed': 'add-authority',
  'unknown-authority': 'add-authority',
  'other-name': 'check-proxy',
};

async function openTunnel(context: DiagnosisContext, proxy: URL): Promise<StepResult> {
  const target = formatTunnelTarget(context.route);
  try {
    const { status } = await context.withTimeout((signal) =>
      context.socket.openTunnel(target, getProxyAuthorization(proxy), signal),
    );
    switch (status) {
      case 200:
        return { outcome: 'ok', finding: 'proxy-lets-through' };
      case 407:
        return { outcome: 'failed', finding: 'proxy-needs-password', remedy: 'check-proxy' };
      case undefined:
        return { outcome: 'failed', finding: 'not-a-proxy', remedy: 'check-proxy' };
      default:
        return { outcome: 'failed', finding: 'proxy-refuses', remedy: 'check-proxy', facts: { status } };
    }
  } catch (error) {
    context.signal.throwIfAborted();
    const code = getFailureCode(error);
    return {
      outcome: 'failed',
      finding: code === 'timeout' ? 'timed-out' : 'not-a-proxy',
      remedy: 'check-proxy',
      facts: { reason: code },
    };
  }
}

const getRemedy = ({ proxy }: Route) => (proxy === undefined ? 'edit-connection' : 'check-proxy');

const getProxyFacts = ({ proxy, proxySource }: Route) =>
  proxy === undefined || proxySource === undefined ? {} : { proxy: formatProxy(proxy), proxySource };
