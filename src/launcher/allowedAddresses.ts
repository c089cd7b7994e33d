/** A host with an optional port. */
interface Authority {
  readonly name: string;
  readonly port?: number;
}

/**
 * A host and port that the editor may be opened at, besides those of this machine; for example a forwarded port.
 * Without a port, any port is allowed.
 */
export type AllowedHost = Authority;

const maxPort = 65_535;
const httpPort = 80;
const httpsPort = 443;

/**
 * Parses `NAME` or `NAME:PORT` from the command line.
 * @throws Error with a message for the user
 */
export function parseAllowedHost(text: string): AllowedHost {
  const host = parseAuthority(text);
  if (host === undefined) {
    throw new Error(`Invalid --allow-host "${text}". Expected: NAME or NAME:PORT.`);
  }
  return host;
}

/**
 * Decides which addresses the editor may be opened at, and which pages may send requests to it. Rejecting all other
 * hosts prevents DNS rebinding, where the name of a web site is bound to this machine's address.
 */
export class AllowedAddresses {
  readonly #hosts: readonly AllowedHost[];

  /** @param port the port of the editor on this machine */
  constructor(port: number, additionalHosts: readonly AllowedHost[] = []) {
    const localHosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => ({ name, port }));
    this.#hosts = [...localHosts, ...additionalHosts];
  }

  /**
   * @param host the `Host` header. Without a port, it can also mean port 443: an HTTPS proxy may be in front of the
   * gate.
   */
  allowsHost(host: string): boolean {
    const address = parseAuthority(host);
    return address !== undefined && (this.#allows(address, httpPort) || this.#allows(address, httpsPort));
  }

  /** @param origin the `Origin` header. Pages without an origin send `null`, which is refused. */
  allowsOrigin(origin: string): boolean {
    const [, scheme = '', authority = ''] = /^(https?):\/\/(.*)$/i.exec(origin) ?? [];
    const address = parseAuthority(authority);
    return (
      address !== undefined && this.#allows(address, scheme.toLowerCase() === 'https' ? httpsPort : httpPort)
    );
  }

  #allows(address: Authority, defaultPort: number): boolean {
    return this.#hosts.some(
      ({ name, port }) =>
        name === address.name && (port === undefined || port === (address.port ?? defaultPort)),
    );
  }
}

/** Parses a host with an optional port; returns `undefined` for anything else, such as a user name or a path. */
function parseAuthority(text: string): Authority | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?$/i.exec(text);
  const name = match?.[1]?.toLowerCase();
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  if (name === undefined || (port !== undefined && port > maxPort)) {
    return undefined;
  }
  return port === undefined ? { name } : { name, port };
}
