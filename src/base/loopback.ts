/**
 * Returns whether a host name of a URL always means this machine. Tokens are sent there without encryption and without
 * a proxy, so subdomains of `localhost` do not count: not every resolver keeps them on this machine.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
