import { ProxySettingError } from '../../client/network.ts';
import { TransportFailure } from '../../client/transport.ts';
import { parseAddress } from '../parseAddress.ts';
import type { Examination } from './examination.ts';
import { getFailureCode } from './failureCode.ts';
import { type Route, getProxyAuthorization, findRoute, formatProxy, formatTunnelTarget } from './route.ts';
import type { StepResult } from './step.ts';

/** Determines the address of the instance, for which a sandbox is started, and the route to it. */
export async function examineAddress(examination: Examination): Promise<StepResult> {
  const { connection, deps } = examination;
  let address: string;
  try {
    address = await examination.withTimeout(() => deps.locate(connection));
  } catch (error) {
    examination.signal.throwIfAborted();
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
  examination.address = parsedAddress.url;
  return chooseRoute(examination, parsedAddress.url);
}

/** The route is determined before the first request: a configured proxy is never bypassed. */
function chooseRoute(examination: Examination, url: string): StepResult {
  try {
    examination.route = findRoute(url, examination.deps.getNetworkSettings());
    return { outcome: 'ok', finding: 'address-usable', facts: { url, ...getProxyFacts(examination.route) } };
  } catch (error) {
    if (error instanceof ProxySettingError) {
      return { outcome: 'failed', finding: 'proxy-setting-unusable', remedy: 'check-proxy', facts: { url } };
    }
    throw error;
  }
}

/** Resolves the host to connect to: the proxy if there is one, otherwise the instance. */
export async function examineHostName(examination: Examination): Promise<StepResult> {
  const { host } = examination.route;
  const facts = { host, ...getProxyFacts(examination.route) };
  if (/^\[|^\d+(\.\d+){3}$/.test(host)) {
    return { outcome: 'ok', finding: 'name-is-address', facts };
  }
  try {
    const addresses = await examination.withTimeout((signal) => examination.deps.probes.lookup(host, signal));
    return { outcome: 'ok', finding: 'name-found', facts: { ...facts, addresses } };
  } catch (error) {
    examination.signal.throwIfAborted();
    const code = getFailureCode(error);
    // Only these mean that the name does not exist; with other codes, no name server could be queried.
    return code === 'ENOTFOUND' || code === 'ENODATA'
      ? { outcome: 'failed', finding: 'name-unknown', remedy: getRemedy(examination.route), facts }
      : {
          outcome: 'failed',
          finding: 'resolver-failed',
          remedy: 'check-network',
          facts: { ...facts, reason: code },
        };
  }
}

/** Connects to the instance, or to the proxy in between. */
export async function examinePort(examination: Examination): Promise<StepResult> {
  const { host, port } = examination.route;
  const facts = { host, port, ...getProxyFacts(examination.route) };
  try {
    examination.socket = await examination.withTimeout((signal) =>
      examination.deps.probes.connect(host, port, signal),
    );
    return {
      outcome: 'ok',
      finding: 'port-open',
      facts: { ...facts, addresses: [examination.socket.address] },
    };
  } catch (error) {
    examination.signal.throwIfAborted();
    const code = getFailureCode(error);
    if (code === 'ECONNREFUSED') {
      return { outcome: 'failed', finding: 'port-closed', remedy: getRemedy(examination.route), facts };
    }
    return {
      outcome: 'failed',
      finding: code === 'timeout' ? 'timed-out' : 'host-unreachable',
      remedy: examination.route.proxy === undefined ? 'check-network' : 'check-proxy',
      facts: { ...facts, reason: code },
    };
  }
}

/** Checks that the proxy, if there is one, leads to the instance: with a tunnel for HTTPS, as the client does. */
export async function examineProxy(examination: Examination): Promise<StepResult> {
  const { proxy, target } = examination.route;
  if (proxy === undefined) {
    return { outcome: 'ok', finding: 'no-proxy' };
  }
  const facts = getProxyFacts(examination.route);
  if (proxy.protocol.startsWith('socks')) {
    return { outcome: 'skipped', finding: 'proxy-not-examined', facts };
  }
  if (proxy.protocol === 'https:') {
    const tlsProblem = await startProxyTls(examination, proxy);
    if (tlsProblem !== undefined) {
      return { outcome: 'failed', facts: { ...facts, reason: tlsProblem }, ...untrustedProxyResult };
    }
  }
  // The client sends plain HTTP requests to the proxy directly, without a tunnel.
  if (target.protocol === 'http:') {
    return { outcome: 'ok', finding: 'proxy-forwards', facts };
  }
  const result = await openTunnel(examination, proxy);
  return { ...result, facts: { ...facts, ...result.facts } };
}

const untrustedProxyResult = { finding: 'proxy-untrusted', remedy: 'add-authority' } as const;

/** Starts TLS with the proxy; returns the problem, or `undefined` if there is none. */
async function startProxyTls(examination: Examination, proxy: URL): Promise<string | undefined> {
  const { deps, socket } = examination;
  try {
    const handshake = await examination.withTimeout(async (signal) =>
      socket.startTls(proxy.hostname, await deps.loadCertificates(), signal),
    );
    return deps.getNetworkSettings().strictSSL ? handshake.problem : undefined;
  } catch (error) {
    examination.signal.throwIfAborted();
    return error instanceof TransportFailure ? 'certificate-file' : getFailureCode(error);
  }
}

async function openTunnel(examination: Examination, proxy: URL): Promise<StepResult> {
  const target = formatTunnelTarget(examination.route);
  try {
    const { status } = await examination.withTimeout((signal) =>
      examination.socket.openTunnel(target, getProxyAuthorization(proxy), signal),
    );
    switch (status) {
      case 200:
        return { outcome: 'ok', finding: 'proxy-lets-through' };
      case 407:
        return { outcome: 'failed', finding: 'proxy-needs-password', remedy: 'check-proxy' };
      case undefined:
        return { outcome: 'failed', finding: 'proxy-speaks-otherwise', remedy: 'check-proxy' };
      default:
        return { outcome: 'failed', finding: 'proxy-refuses', remedy: 'check-proxy', facts: { status } };
    }
  } catch (error) {
    examination.signal.throwIfAborted();
    const code = getFailureCode(error);
    return {
      outcome: 'failed',
      finding: code === 'timeout' ? 'timed-out' : 'proxy-speaks-otherwise',
      remedy: 'check-proxy',
      facts: { reason: code },
    };
  }
}

const getRemedy = ({ proxy }: Route) => (proxy === undefined ? 'edit-connection' : 'check-proxy');

const getProxyFacts = ({ proxy, proxySource }: Route) =>
  proxy === undefined || proxySource === undefined ? {} : { proxy: formatProxy(proxy), proxySource };
