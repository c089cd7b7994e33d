/**
 * Returns whether a host name of a URL always means this machine. Tokens are sent there without encryption and without
 * a proxy, so subdomains of `localhost` do not count: not every resolver keeps them on this machine.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Returns whether a host name of a URL may lead to this machine: like {@link isLoopback}, but with other spellings of its
 * addresses, and those that stand for any address. Only for a comparison, since not every system has all of them.
 */
export const mayBeThisMachine = (host: string): boolean =>
  isLoopback(host) || /^(0\.0\.0\.0|\[::\]|\[::ffff:(7f[\da-f]{2}:[\da-f]+|0:0)\])$/.test(host);
