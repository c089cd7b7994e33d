import type { AddressProblem } from '../../connections/parseAddress.ts';

const expectedAddress = 'Expected: https://HOST[:PORT].';

/** Messages for an invalid address in the file of an environment. */
export const environmentAddressProblems: Readonly<Record<AddressProblem, string>> = {
  empty: `"url" is missing. ${expectedAddress}`,
  'not-an-address': `"url" is not an address. ${expectedAddress}`,
  'not-http': `"url" does not start with https:// or http://. ${expectedAddress}`,
  'has-credentials': `"url" contains a user name or password. Remove it: project files must not contain credentials. ${expectedAddress}`,
  'has-query': `"url" contains a query or a fragment. ${expectedAddress}`,
};
