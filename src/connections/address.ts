import { isLoopback } from './loopback.ts';

/** What is wrong with an address that a person typed. */
export type AddressProblem = 'empty' | 'not-an-address' | 'not-http' | 'has-credentials' | 'has-query';

/** An address as it is kept: origin and path, without the slash at the end; or what is wrong with it. */
export type ParsedAddress =
  | { readonly url: string; readonly encrypted: boolean; readonly problem?: undefined }
  | { readonly problem: AddressProblem };

/**
 * Reads the address of an instance. A host alone is taken to speak HTTPS, or HTTP on this machine. A token or
 * password in the address is refused: addresses are kept in plain text.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  if (trimmed === '') {
    return { problem: 'empty' };
  }
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${getDefaultScheme(trimmed)}://${trimmed}`;
  if (!URL.canParse(withScheme)) {
    return { problem: 'not-an-address' };
  }
  const url = new URL(withScheme);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: 'not-http' };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'has-credentials' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: 'has-query' };
  }
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    encrypted: url.protocol === 'https:' || isLoopback(url.hostname),
  };
}

const getDefaultScheme = (host: string): string =>
  isLoopback(URL.parse(`http://${host}`)?.hostname ?? '') ? 'http' : 'https';
