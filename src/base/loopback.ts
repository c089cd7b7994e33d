/**
 * Returns whether a host name of a URL always means this machine. Tokens are sent there without encryption and without
 * a proxy, so subdomains of `localhost` do not count: not every resolver keeps them on this machine.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Returns whether a host name of a URL may lead to this machine: like {@link isLoopback}, but with the names that only
 * some systems have for it, and the addresses that stand for any address. Only for a comparison.
 */
export const mayBeThisMachine = (host: string): boolean =>
  isLoopback(host) ||
  /^(.+\.localhost|localhost\.localdomain|localhost[46]|ip6-(localhost|loopback)|0\.0\.0\.0|\[::\])$/.test(
    host,
  );
