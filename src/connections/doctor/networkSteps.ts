import { ProxySettingError } from '../../client/network.ts';
import { TransportFailure } from '../../client/transport.ts';
import { parseAddress } from '../address.ts';
import type { Examination } from './examination.ts';
import { getFailureCode } from './failures.ts';
import { type Route, getProxyAuthorization, findRoute, formatProxy, formatTunnelTarget } from './route.ts';
import type { StepResult } from './step.ts';

/** Determines the address of the instance, as stored or that of the sandbox, which is started; and the route to it. */
export async function examineAddress(exam: Examination): Promise<StepResult> {
  const { connection, deps } = exam;
  let address: string;
  try {
    address = await exam.withTimeout(() => deps.locate(connection));
  } catch (error) {
    exam.signal.throwIfAborted();
    return {
      outcome: 'failed',
      finding: 'sandbox-not-started',
      remedy: 'start-sandbox',
      facts: { reason: error instanceof Error ? error.message : String(error) },
    };
  }
  const parsed = parseAddress(address);
  if (parsed.problem !== undefined) {
    return {
      outcome: 'failed',
      finding: 'address-unusable',
      remedy: 'edit-connection',
      facts: { reason: parsed.problem },
    };
  }
  exam.address = parsed.url;
  return chooseRoute(exam, parsed.url);
}

/** The route is determined before the first request: a configured proxy is never bypassed. */
function chooseRoute(exam: Examination, url: string): StepResult {
  try {
    exam.route = findRoute(url, exam.deps.network());
    return { outcome: 'ok', finding: 'address-usable', facts: { url, ...getProxyFacts(exam.route) } };
  } catch (error) {
    if (error instanceof ProxySettingError) {
      return { outcome: 'failed', finding: 'proxy-setting-unusable', remedy: 'check-proxy', facts: { url } };
    }
    throw error;
  }
}

/** Resolves the host to connect to: the proxy if there is one, otherwise the instance. */
export async function examineName(exam: Examination): Promise<StepResult> {
  const { host } = exam.route;
  const facts = { host, ...getProxyFacts(exam.route) };
  if (/^\[|^\d+(\.\d+){3}$/.test(host)) {
    return { outcome: 'ok', finding: 'name-is-address', facts };
  }
  try {
    const addresses = await exam.withTimeout((signal) => exam.deps.probes.lookup(host, signal));
    return { outcome: 'ok', finding: 'name-found', facts: { ...facts, addresses } };
  } catch (error) {
    exam.signal.throwIfAborted();
    const code = getFailureCode(error);
    // Only these mean that the name does not exist; with other codes, no name server could be queried.
    return code === 'ENOTFOUND' || code === 'ENODATA'
      ? { outcome: 'failed', finding: 'name-unknown', remedy: getRemedy(exam.route), facts }
      : {
          outcome: 'failed',
          finding: 'resolver-failed',
          remedy: 'check-network',
          facts: { ...facts, reason: code },
        };
  }
}

/** Connects to the instance, or to the proxy in between. */
export async function examinePort(exam: Examination): Promise<StepResult> {
  const { host, port } = exam.route;
  const facts = { host, port, ...getProxyFacts(exam.route) };
  try {
    exam.wire = await exam.withTimeout((signal) => exam.deps.probes.connect(host, port, signal));
    return { outcome: 'ok', finding: 'port-open', facts: { ...facts, addresses: [exam.wire.address] } };
  } catch (error) {
    exam.signal.throwIfAborted();
    const code = getFailureCode(error);
    if (code === 'ECONNREFUSED') {
      return { outcome: 'failed', finding: 'port-closed', remedy: getRemedy(exam.route), facts };
    }
    return {
      outcome: 'failed',
      finding: code === 'timeout' ? 'timed-out' : 'host-unreachable',
      remedy: exam.route.proxy === undefined ? 'check-network' : 'check-proxy',
      facts: { ...facts, reason: code },
    };
  }
}

/** Checks that the proxy, if there is one, leads to the instance: with a tunnel for HTTPS, as the client does. */
export async function examineProxy(exam: Examination): Promise<StepResult> {
  const { proxy, target } = exam.route;
  if (proxy === undefined) {
    return { outcome: 'ok', finding: 'no-proxy' };
  }
  const facts = getProxyFacts(exam.route);
  if (proxy.protocol.startsWith('socks')) {
    return { outcome: 'skipped', finding: 'proxy-not-examined', facts };
  }
  if (proxy.protocol === 'https:') {
    const untrusted = await secureProxy(exam, proxy);
    if (untrusted !== undefined) {
      return { outcome: 'failed', facts: { ...facts, reason: untrusted }, ...proxyUntrusted };
    }
  }
  // The client sends plain HTTP requests to the proxy directly, without a tunnel.
  if (target.protocol === 'http:') {
    return { outcome: 'ok', finding: 'proxy-forwards', facts };
  }
  const result = await tunnel(exam, proxy);
  return { ...result, facts: { ...facts, ...result.facts } };
}

const proxyUntrusted = { finding: 'proxy-untrusted', remedy: 'add-authority' } as const;

/** Starts TLS with the proxy; returns the problem, or `undefined` if there is none. */
async function secureProxy(exam: Examination, proxy: URL): Promise<string | undefined> {
  const { deps, wire } = exam;
  try {
    const shown = await exam.withTimeout(async (signal) =>
      wire.handshake(proxy.hostname, await deps.certificates(), signal),
    );
    return deps.network().strictSSL ? shown.problem : undefined;
  } catch (error) {
    exam.signal.throwIfAborted();
    return error instanceof TransportFailure ? 'certificate-file' : getFailureCode(error);
  }
}

async function tunnel(exam: Examination, proxy: URL): Promise<StepResult> {
  const target = formatTunnelTarget(exam.route);
  try {
    const { status } = await exam.withTimeout((signal) =>
      exam.wire.tunnel(target, getProxyAuthorization(proxy), signal),
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
    exam.signal.throwIfAborted();
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

const getProxyFacts = ({ proxy, proxyFrom }: Route) =>
  proxy === undefined || proxyFrom === undefined ? {} : { proxy: formatProxy(proxy), proxyFrom };
