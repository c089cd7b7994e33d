import { addScheme, formatAddress } from '../base/addressKey.ts';

/** The problem with a typed address. */
export type AddressProblem =
  | 'empty'
  | 'not-an-address'
  | 'not-http'
  | 'is-token'
  | 'has-credentials'
  | 'has-query';

/** An address as stored: origin and path, without the trailing slash; or the problem with it. */
export type ParsedAddress =
  | { readonly url: string; readonly problem?: undefined }
  | { readonly problem: AddressProblem };

/**
 * Parses the address of an instance. A host alone defaults to HTTPS, or to HTTP on this machine. An address with a
 * token or password is rejected, and so is a token in place of it: addresses are shown, and stored in plain text.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  if (trimmed === '') {
    return { problem: 'empty' };
  }
  if (isToken(trimmed)) {
    return { problem: 'is-token' };
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
  return { url: formatAddress(url) };
}

/**
 * Returns whether a text without a scheme is a token, which would otherwise be taken for a host and its path: what is
 * before the slash can't be a host, or the whole text looks like Base64, which has slashes, too.
 */
function isToken(text: string): boolean {
  const [host = ''] = text.split('/', 1);
  return !canBeHost(host) || (isRandom(text) && (!consistsOfWords(host) || text.endsWith('=')));
}

/**
 * Returns whether a text can be a host: it is neither a JSON Web Token nor a UUID, and what follows its last dot, or
 * the whole text if it has none, isn't random.
 */
function canBeHost(text: string): boolean {
  const label = text.split('.').at(-1) ?? '';
  return (
    !/^(?:eyJ[\w-]{6,}\.[\w.-]*|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/.test(text) &&
    (consistsOfWords(label) || !isRandom(label))
  );
}

/** Returns whether a text is long, and consists of letters and digits without a dot, hyphen, or port. */
const isRandom = (text: string): boolean => /^(?=.*\d)(?=.*[a-z])(?=.{20})[\w+/~]+=*$/i.test(text);

/** Returns whether a text consists of words and numbers, such as `bi_production_server_01`. */
const consistsOfWords = (text: string): boolean =>
  /^[a-z]+\d{0,4}(?:_(?:[a-z]+\d{0,4}|\d{1,4}))*$/i.test(text);
