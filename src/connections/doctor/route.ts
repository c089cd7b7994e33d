import { type ProxySettings, resolveProxy } from '../../client/network.ts';

/** The route of requests to an instance. */
export interface Route {
  readonly target: URL;
  /** The proxy in between; `undefined` for a direct connection. */
  readonly proxy: URL | undefined;
  /** Where the proxy is configured. */
  readonly proxySource: 'setting' | 'environment' | undefined;
  /** The host of the first connection: the proxy, otherwise the instance. */
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the route that requests of the client to an address take.
 * @throws ProxySettingError if the configured proxy cannot be used
 */
export function findRoute(address: string, settings: ProxySettings): Route {
  const target = new URL(address);
  const proxyAddress = resolveProxy(address, settings);
  const proxy = proxyAddress === undefined ? undefined : new URL(proxyAddress);
  const { hostname, port, protocol } = proxy ?? target;
  return {
    target,
    proxy,
    proxySource: proxy && (settings.proxy?.trim() ? 'setting' : 'environment'),
    host: hostname,
    port: Number(port) || getDefaultPort(protocol),
  };
}

/** Scheme, host and port: a proxy's user and password are never shown. */
export const formatProxy = ({ protocol, host }: URL): string => `${protocol}//${host}`;

/** `host:port` of the instance, as used in a request to a proxy. */
export const formatTunnelTarget = ({ target }: Route): string =>
  `${target.hostname}:${target.port || getDefaultPort(target.protocol)}`;

/** The header with the credentials for a proxy, the same as the client's; `undefined` if its address has none. */
export function getProxyAuthorization({ username, password }: URL): string | undefined {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
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
