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
  const port = /^(80|443)$/.test(url.port) ? '' : url.port;
  const path = decode(url.pathname).replace(/\/+/g, '/').replace(/\/$/, '');
  return `${getHostKey(url)}:${port}${path}`;
}

/** Returns a name of a host that is the same for all of its spellings. */
function getHostKey({ hostname }: URL): string {
  const host = unwrapIpv4Address(hostname.replace(/\.$/, ''));
  return mayBeThisMachine(host) ? 'localhost' : host;
}

/** Returns the IPv4 address that an IPv6 address of a URL contains; any other host as it is. */
function unwrapIpv4Address(host: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(host) ?? [];
  return high === undefined || low === undefined
    ? host
    : [high, low]
        .map((group) => Number.parseInt(group, 16))
        .flatMap((group) => [group >> 8, group & 255])
        .join('.');
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
 * Returns whether a text may contain an address in any spelling; true if in doubt.
 * @param key see {@link getAddressKey}
 */
export function mayContainAddress(text: string, key: string): boolean {
  const decoded = text
    .replace(/\\u([\da-f]{4})/gi, (_escape, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');
  const [host = ''] = /^(\[.*?\]|[^:]*)/.exec(key) ?? [];
  return (
    decoded.toLowerCase().includes(host) ||
    // Not every spelling of a host contains its normal form.
    decoded.split(/[\s"',]+/).some((word) => getAddressKey(word) === key) ||
    findHosts(decoded).some((other) => other === host)
  );
}

/**
 * Returns the hosts in a text, in the spelling of {@link getHostKey}: all words that may be one. A number is left out,
 * since a URL accepts any number as an IPv4 address.
 */
const findHosts = (text: string): readonly string[] =>
  [...text.matchAll(/\[[\da-f:.]+\]|[^\s"'`,;:<>(){}[\]/\\|=?#@]+/gi)].flatMap(([word]) => {
    const url = /^\d+$/.test(word) ? null : URL.parse(`https://${word}`);
    return url === null ? [] : [getHostKey(url)];
  });

/** Returns an address with a scheme: `https`, or `http` for this machine, if it has none. */
export const addScheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${getDefaultScheme(address)}://${address}`;

const getDefaultScheme = (host: string): string =>
  isLoopback(URL.parse(`http://${host}`)?.hostname ?? '') ? 'http' : 'https';

/** Returns an address as it is stored: origin and path, without the trailing slash, credentials, and query. */
export const formatAddress = ({ origin, pathname }: URL): string =>
  `${origin}${pathname.replace(/\/+$/, '')}`;
