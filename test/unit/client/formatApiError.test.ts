import { expect, test } from 'vitest';
import { english } from '../../../src/base/localize.ts';
import { createApiRequestInfo } from '../../../src/client/apiError.ts';
import {
  AddressError,
  type ApiError,
  HttpError,
  NetworkError,
  SignedOutError,
  TooLargeError,
} from '../../../src/client/errors.ts';
import { formatApiError } from '../../../src/client/messages/formatApiError.ts';
import { toRepetitionError } from '../../../src/client/uncertainEffect.ts';

const read = createApiRequestInfo('tables.list', '/api/v2/datamodels/m/datasets/d/tables');
const write = createApiRequestInfo('tables.create', '/api/v2/datamodels/m/datasets/d/tables');
const format = (error: ApiError): string => formatApiError(english, error);

test('an unusable address of the connection, an unusable name, and an unusable tenant ID have different texts', () => {
  expect(format(new AddressError(read))).toBe(
    'Loading the tables failed: the address of the connection is invalid. Check the address of the connection.',
  );
  expect(format(new AddressError(read, 'datasetId'))).toBe(
    "Loading the tables failed: a name such as A/../B can't be used in a URL.",
  );
  expect(format(new AddressError(read, 'tenantId'))).toBe(
    "Loading the tables failed: the tenant ID can't contain spaces or special characters.",
  );
});

test('a connection without a token is named, if it is a saved one', () => {
  expect(format(new SignedOutError(read, 'signed-out', { connection: { id: 'c', name: 'Shop' } }))).toBe(
    'Loading the tables failed: Shop has no token. Sign in again.',
  );
  expect(format(new SignedOutError(read, 'signed-out'))).toBe(
    'Loading the tables failed: this connection has no token. Sign in again.',
  );
});

test('the proxy message covers both an unreachable proxy and a rejected request', () => {
  expect(format(new NetworkError(read, 'proxy', { mayHaveBeenSent: false }))).toBe(
    "Loading the tables failed: the proxy can't be reached, or it rejected the request. Check the proxy settings.",
  );
});

test('the text about an unreachable server is true if it refuses the connection, and if there is no route', () => {
  expect(format(new NetworkError(read, 'refused', { mayHaveBeenSent: false }))).toBe(
    "Loading the tables failed: can't connect to the server. Check the address of the connection.",
  );
});

test('the text about a response that is too large does not ask to split a change', () => {
  expect(format(new TooLargeError(read, 10))).toBe('Loading the tables failed: the response is too large.');
  expect(format(new TooLargeError(write, 10))).toBe(
    'Creating the table failed: the response is too large. It might have succeeded. Check before you try again.',
  );
});

test.each([
  [400, 'The server requested a wait of 1 second. '],
  [120_000, 'The server requested a wait of 120 seconds. '],
  [900_000, 'The server requested a wait of 15 minutes. '],
  [0, ''],
  [undefined, ''],
])('the text about a busy server names the wait that it asked for: %s ms', (retryAfterMs, text) => {
  const failure = new HttpError(read, { status: 429, retryAfterMs });
  expect(format(failure)).toBe(`Loading the tables failed: too many requests (429). ${text}Try again later.`);
  expect(format(toRepetitionError(new HttpError(write, { status: 429, retryAfterMs })))).toBe(
    `Creating the table failed: too many requests (429). ${text}It might have succeeded. Check before you try again.`,
  );
});

test.each([
  [
    'Only administrators can change rules',
    "this user doesn't have permission (403): Only administrators can change rules",
  ],
  ['Access denied', 'only administrators can change data security rules (403): Access denied'],
  [undefined, 'only administrators can change data security rules (403)'],
])(
  'that rules need an administrator is said once, even if the server says it: %s',
  (serverMessage, cause) => {
    const endpoint = createApiRequestInfo(
      'extractRules.create',
      '/api/elasticubes/localhost/Retail/datasecurity',
    );
    expect(format(new HttpError(endpoint, { status: 403, serverMessage }))).toContain(
      ` failed: ${cause}. Ask an administrator for permission`,
    );
  },
);
