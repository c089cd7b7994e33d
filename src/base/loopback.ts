/**
 * Returns whether a host name of a URL always means this machine. Tokens are sent there without encryption and without
 * a proxy, so subdomains of `localhost` do not count: not every resolver keeps them on this machine.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Returns the addresses that lead to the same server as an address: this machine has several names. */
export function getEquivalentAddresses(url: string): readonly string[] {
  const host = URL.parse(url)?.hostname;
  return host === undefined || !isLoopback(host)
    ? [url]
    : [...new Set([host, 'localhost', '127.0.0.1', '[::1]'])].map((name) => url.replace(host, name));
}
