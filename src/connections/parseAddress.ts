import { addScheme } from '../base/addressKey.ts';

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
