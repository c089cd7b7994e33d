import { type Message, createMessage } from '../../base/localize.ts';
import type { AddressProblem } from '../../connections/parseAddress.ts';

/** Messages for an invalid address in the file of an environment. */
export const environmentAddressProblems: Readonly<Record<AddressProblem, Message>> = {
  empty: createMessage('"url" is missing. Expected: https://HOST[:PORT].'),
  'not-an-address': createMessage('"url" isn\'t an address. Expected: https://HOST[:PORT].'),
  'not-http': createMessage('"url" doesn\'t start with https:// or http://. Expected: https://HOST[:PORT].'),
  'is-token': createMessage(
    '"url" looks like a token. Remove it: project files must not contain credentials. Expected: https://HOST[:PORT].',
  ),
  'has-credentials': createMessage(
    '"url" contains a user name or password. Remove it: project files must not contain credentials. Expected: https://HOST[:PORT].',
  ),
  'has-query': createMessage('"url" contains a query or fragment. Expected: https://HOST[:PORT].'),
};
