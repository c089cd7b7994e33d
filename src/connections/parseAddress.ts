import { isLoopback, mayBeThisMachine } from '../base/loopback.ts';

/** The problem with a typed address. */
export type AddressProblem = 'empty' | 'not-an-address' | 'not-http' | 'has-credentials' | 'has-query';

/** An address as stored: origin and path, without the trailing slash; or the problem with it. */
export type ParsedAddress =
  | { readonly url: string; readonly problem?: undefined }
  | { readonly problem: AddressProblem };

/**
 * Parses the address of an instance. A host alone defaults to HTTPS, or to HTTP on this machine. An address with a
 * token or password is rejected: addresses are stored in plain text.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  if (trimmed === '') {
    return { problem: 'empty' };
  }
  const url = URL.parse(addScheme(trimmed));
  if (url === null) {
    return { problem: 'not-an-address' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: 'not-http' };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'has-credentials' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: 'has-query' };
  }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}

/**
 * Returns a key of an address, to find out whether two of them may lead to the same instance: it's the same for all
 * spellings of a host and for all names of this machine, and with and without encryption. `undefined` if the text is no
 * address.
 */
export function getAddressKey(text: string): string | undefined {
  const url = URL.parse(addScheme(text.trim()));
  if (url === null) {
    return undefined;
  }
  const host = url.hostname.replace(/\.$/, '');
  const port = /^(80|443)$/.test(url.port) ? '' : url.port;
  return `${mayBeThisMachine(host) ? 'localhost' : host}:${port}${url.pathname.replace(/\/+$/, '')}`;
}

const addScheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${getDefaultScheme(address)}://${address}`;

const getDefaultScheme = (host: string): string =>
  isLoopback(URL.parse(`http://${host}`)?.hostname ?? '') ? 'http' : 'https';
