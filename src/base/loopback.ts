/**
 * Returns whether a host name of a URL always means this machine. Tokens are sent there without encryption and without
 * a proxy, so subdomains of `localhost` do not count: not every resolver keeps them on this machine.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Returns whether a host name of a URL may lead to this machine: like {@link isLoopback}, but also true for names that
 * only some systems have for it, and for the unspecified addresses (`0.0.0.0`, `::`). Use it only to compare addresses,
 * never to decide whether a connection is safe.
 */
export const mayBeThisMachine = (host: string): boolean =>
  isLoopback(host) ||
  /^(.+\.localhost|localhost\.localdomain|localhost[46]|ip6-(localhost|loopback)|0\.0\.0\.0|\[::\])$/.test(
    host,
  );
