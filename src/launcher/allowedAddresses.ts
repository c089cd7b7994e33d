/** An additional address for the editor besides those of this machine, for example that of a forwarded port. */
export interface AllowedHost {
  readonly name: string;
  /** If absent, any port. */
  readonly port?: number;
}

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Parses `NAME` or `NAME:PORT` from the command line.
 * @throws Error that a person can act on
 */
export function parseAllowedHost(text: string): AllowedHost {
  const host = parseAuthority(text);
  if (host === undefined) {
    throw new Error(`--allow-host takes NAME or NAME:PORT, not "${text}"`);
  }
  return host;
}

/**
 * Checks that a request is for the editor's own page, and not for one that a web site's name was bound to (DNS
 * rebinding): based on the address that the browser uses, and on the page that sends the request.
 */
export class AllowedAddresses {
  readonly #hosts: readonly AllowedHost[];

  /** @param port that of the editor on this machine */
  constructor(port: number, additionalHosts: readonly AllowedHost[] = []) {
    const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => ({ name, port }));
    this.#hosts = [...own, ...additionalHosts];
  }

  /** @param host the `Host` header */
  allowsHost(host: string): boolean {
    const asked = parseAuthority(host);
    return asked !== undefined && this.#allows(asked, defaultPorts['http']);
  }

  /** @param origin the `Origin` header; that of a page without one is `null`, and refused */
  allowsOrigin(origin: string): boolean {
    const [, scheme = '', authority = ''] = /^(https?):\/\/(.*)$/i.exec(origin) ?? [];
    const asked = parseAuthority(authority);
    return asked !== undefined && this.#allows(asked, defaultPorts[scheme.toLowerCase()]);
  }

  #allows(asked: AllowedHost, defaultPort: number | undefined): boolean {
    return this.#hosts.some(
      ({ name, port }) => name === asked.name && (port === undefined || port === (asked.port ?? defaultPort)),
    );
  }
}

/** Host and port of an address; `undefined` for anything else, user names and paths included. */
function parseAuthority(text: string): AllowedHost | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?$/i.exec(text);
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) {
    return undefined;
  }
  return match?.[2] === undefined ? { name } : { name, port: Number(match[2]) };
}
