/** Where proxies are told of: the editor's settings first, else the environment (design.md, section 4). */
export interface ProxySettings {
  /** `http.proxy`; wins over the environment. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`; wins over `NO_PROXY` where it is not empty. */
  readonly noProxy?: readonly string[] | undefined;
  /** The environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The setting names no usable proxy. The message does not repeat it: it may hold a password. */
export class ProxySettingError extends Error {
  override readonly name = 'ProxySettingError';

  constructor() {
    super('The proxy setting is not a usable address');
  }
}

/**
 * The proxy that a request to `url` goes through; `undefined` for the direct way. This machine is always reached
 * directly: the sandbox listens here.
 * @throws ProxySettingError when a proxy is set that cannot be used: going around it would surprise
 */
export function proxyFor(url: string, settings: ProxySettings): string | undefined {
  const target = URL.parse(url);
  if (target === null) {
    return undefined;
  }
  const { proxy, noProxy = [], environment = {} } = settings;
  const variable = (name: string): string =>
    environment[name.toLowerCase()] || environment[name.toUpperCase()] || '';
  const exceptions = noProxy.length > 0 ? noProxy : variable('no_proxy').split(/[\s,]+/);
  if (isLoopback(target.hostname) || exceptions.some((entry) => matches(entry.trim(), target))) {
    return undefined;
  }
  // Many machines set only HTTP_PROXY and mean both.
  const fromEnvironment = (target.protocol === 'https:' && variable('https_proxy')) || variable('http_proxy');
  const setting = (proxy ?? '').trim() || fromEnvironment.trim();
  return setting === '' ? undefined : usableProxy(setting);
}

function usableProxy(setting: string): string {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(setting) ? setting : `http://${setting}`);
  if (url === null || url.hostname === '' || !/^(https?|socks5?):$/.test(url.protocol)) {
    throw new ProxySettingError();
  }
  return url.href;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** An entry names a host or a domain with all below it (`example.com`, `.example.com`, `*.example.com`), or `*`. */
function matches(entry: string, target: URL): boolean {
  if (entry === '' || entry === '*') {
    return entry === '*';
  }
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (port !== undefined && port !== portOf(target)) {
    return false;
  }
  const domain = name.toLowerCase().replace(/^\*?\./, '');
  const host = target.hostname.toLowerCase();
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
