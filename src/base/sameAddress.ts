/**
 * Returns whether two addresses, as `parseAddress` returns them, surely lead to the same server: they are equal, or
 * differ only in the usual names of this machine. Unlike for `getAddressKey`, other addresses of this machine count as
 * different: each may be a tunnel to a server of its own.
 */
export const isSameAddress = (first: string, second: string): boolean =>
  normalizeLocalhost(first) === normalizeLocalhost(second);

const normalizeLocalhost = (address: string): string =>
  address.replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '$1localhost');
