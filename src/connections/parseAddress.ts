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
 * Matches a token without a scheme, which would otherwise be taken for a host: a JSON Web Token, a UUID, or many letters
 * and digits without a dot, hyphen, or port. It may have slashes, as in Base64.
 */
const tokenPattern =
  /^(?:eyJ[\w-]{6,}\.[\w.-]*|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=.*\d)(?=.*[a-z])(?=.{20})[\w+/~]+=*)$/i;

/**
 * Matches the name of a host that consists of words and numbers, such as `bi_production_server_01`, and a path, which
 * doesn't look like the padding of Base64.
 */
const wordsPattern = /^[a-z]+\d{0,4}(?:_(?:[a-z]+\d{0,4}|\d{1,4}))*(?:\/[^=]*)?$/i;

/**
 * Parses the address of an instance. A host alone defaults to HTTPS, or to HTTP on this machine. An address with a
 * token or password is rejected, and so is a token in place of it: addresses are shown, and stored in plain text.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  if (trimmed === '') {
    return { problem: 'empty' };
  }
  if (tokenPattern.test(trimmed) && !wordsPattern.test(trimmed)) {
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
