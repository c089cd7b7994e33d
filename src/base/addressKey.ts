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
  const path = decode(url.pathname).replace(/\/+/g, '/').replace(/\/$/, '');
  return `${mayBeThisMachine(host) ? 'localhost' : host}:${port}${path}`;
}

/** Returns whether the address with a key ({@link getAddressKey}) leads to this machine. */
export const isKeyOfThisMachine = (key: string): boolean => key.startsWith('localhost:');

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // It isn't an encoded text.
    return path;
  }
}

/**
 * Returns whether a text may contain an address in any spelling; rather yes than no.
 * @param key see {@link getAddressKey}
 */
export function mayContainAddress(text: string, key: string): boolean {
  const decoded = text
    .replace(/\\u([\da-f]{4})/gi, (_escape, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');
  const [host = ''] = /^(\[.*?\]|[^:]*)/.exec(key) ?? [];
  return (
    decoded.toLowerCase().includes(host) ||
    (host === 'localhost' && /\b127\.|0\.0\.0\.0|\[::/.test(decoded)) ||
    // Not every spelling of a host contains its normal form.
    decoded.split(/[\s"',]+/).some((word) => getAddressKey(word) === key)
  );
}

/** Returns an address with a scheme: `https`, or `http` for this machine, if it has none. */
export const addScheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${getDefaultScheme(address)}://${address}`;

const getDefaultScheme = (host: string): string =>
  isLoopback(URL.parse(`http://${host}`)?.hostname ?? '') ? 'http' : 'https';
