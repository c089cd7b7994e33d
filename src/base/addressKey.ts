import { isLoopback, mayBeThisMachine } from './loopback.ts';

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

/** Returns an address with a scheme: `https`, or `http` for this machine, if it has none. */
export const addScheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${getDefaultScheme(address)}://${address}`;

const getDefaultScheme = (host: string): string =>
  isLoopback(URL.parse(`http://${host}`)?.hostname ?? '') ? 'http' : 'https';
