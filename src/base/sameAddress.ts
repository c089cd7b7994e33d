import { getAddressKey, isKeyOfThisMachine } from './addressKey.ts';

/**
 * Returns whether two addresses, as `parseAddress` returns them, lead to the same server: they have the same key
 * ({@link getAddressKey}). For this machine, only its usual names match: another address or scheme may lead to
 * a tunnel to a server of its own.
 */
export function isSameAddress(first: string, second: string): boolean {
  const key = getAddressKey(first);
  return key === undefined || isKeyOfThisMachine(key)
    ? normalizeLocalhost(first) === normalizeLocalhost(second)
    : key === getAddressKey(second);
}

const normalizeLocalhost = (address: string): string =>
  address.replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '$1localhost');
