import { type ProxySettings, resolveProxy } from '../../client/network.ts';

/** Which way requests to an instance go. */
export interface Route {
  readonly target: URL;
  /** The proxy in between; `undefined` for the direct way. */
  readonly proxy: URL | undefined;
  readonly proxyFrom: 'setting' | 'environment' | undefined;
  /** Where the first connection goes: to the proxy, else to the instance. */
  readonly host: string;
  readonly port: number;
}

/**
 * The way that the client takes as well.
 * @throws ProxySettingError when a proxy is set that cannot be used
 */
export function findRoute(address: string, settings: ProxySettings): Route {
  const target = new URL(address);
  const proxyAddress = resolveProxy(address, settings);
  const proxy = proxyAddress === undefined ? undefined : new URL(proxyAddress);
  const { hostname, port, protocol } = proxy ?? target;
  return {
    target,
    proxy,
    proxyFrom: proxy && (settings.proxy?.trim() ? 'setting' : 'environment'),
    host: hostname,
    port: Number(port) || getDefaultPort(protocol),
  };
}

/** Scheme, host and port: a proxy's user and password are nobody's to see. */
export const formatProxy = ({ protocol, host }: URL): string => `${protocol}//${host}`;

/** `host:port` of the instance, as a proxy is asked for it. */
export const formatTunnelTarget = ({ target }: Route): string =>
  `${target.hostname}:${target.port || getDefaultPort(target.protocol)}`;

/** What a proxy is told of the person, as the client tells it; `undefined` where the setting names nobody. */
export function getProxyAuthorization({ username, password }: URL): string | undefined {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return username === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
}

function getDefaultPort(protocol: string): number {
  switch (protocol) {
    case 'https:':
      return 443;
    case 'socks:':
    case 'socks5:':
      return 1080;
    default:
      return 80;
  }
}
