import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import {
  ApiError,
  HttpError,
  NetworkError,
  PayloadError,
  SchemaError,
  TimeoutError,
  TooLargeError,
} from '../../../../src/client/errors.ts';
import { formatApiError } from '../../../../src/client/messages/formatApiError.ts';
import { formatLabeledReason, formatStopReason } from '../../../../src/changes/messages/stopReason.ts';
import { RulesRefusedError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import type { JsonObject } from '../../../../src/base/json.ts';

const rule = { table: 'Stores', column: 'Region', members: ['x'], allMembers: null, shares: [] };
const formatError = (error: unknown): string => (error === rejection ? 'No' : String(error));
const format = (cause: unknown): string => formatStopReason(english, { cause }, formatError);
const operation = { endpoint: 'extractRules.create', method: 'POST', path: '/rules' } as const;
const rejection = new HttpError(operation, { status: 400 });
const refuse = (error: HttpError | PayloadError, ...rules: readonly JsonObject[]) =>
  new RulesRefusedError(rules.map((each, index) => ({ index, rule: each, error })));

test('the reason is the error that stopped the operation', () => {
  expect(format(new Error('Out of order'))).toBe('Error: Out of order');
});

test.each([
  [[rule], 'A rule on Stores.Region was rejected: No'],
  [[rule, { ...rule, column: 'Other' }], '2 rules were rejected, the first on Stores.Region: No'],
  [[{ members: 7 }], 'A rule on  was rejected: No'],
])('of rules that were rejected, the first is named', (rules, expected) => {
  expect(format(refuse(rejection, ...rules))).toBe(expected);
});

test('the reason for an unsent rule is that the platform does not allow it', () => {
  expect(format(refuse(new PayloadError('wrong-type', ['shares']), rule))).toBe(
    "A rule on Stores.Region was rejected: the platform doesn't allow it",
  );
});

const sent = { endpoint: 'viewpoints.update', method: 'PUT', path: '/v' } as const;
const failed = { state: 'failed', path: '/v', ms: 1 } as const;

/** Formats why a change stopped whose writes have these states. */
const formatStop = (error: HttpError | Error, ...writeStates: readonly WriteState[]): string =>
  formatLabeledReason(
    english,
    new StoppedError(
      {
        entryId: 'e1',
        operation: { connectionId: 'c', cause: 'apply', subject: { name: 'A', within: [] }, writes: [] },
        writeStates,
        documents: [],
      },
      error,
    ),
    (each) => (each instanceof ApiError ? formatApiError(english, each) : String(each)),
  );

const finalResult = 'A check has shown that it had no effect.';
const resultSoFar = 'A check right afterward showed no effect.';

test.each([
  ['500', new HttpError(sent, { status: 500 }), finalResult],
  ['an unusable response', new SchemaError(sent, { status: 200, problem: 'not-json' }), finalResult],
  ['a response that is too large', new TooLargeError(sent, 1), finalResult],
  ...[408, 502, 503, 504].map(
    (status) => [`${status}`, new HttpError(sent, { status }), resultSoFar] as const,
  ),
  ['a timeout', new TimeoutError(sent, { phase: 'headers', mayHaveBeenSent: true }), resultSoFar],
  ['a lost connection', new NetworkError(sent, 'reset', { mayHaveBeenSent: true }), resultSoFar],
] as const)(
  'the result of a check is final only if the server itself has responded: %s',
  (_, error, text) => {
    const reason = formatStop(error, { state: 'done', path: '/', ms: 1 }, failed);
    expect(reason).toMatch(/^Changing the viewpoint failed: /);
    expect(reason.endsWith(` ${text}`)).toBe(true);
    expect(formatStop(error, { ...failed, partly: true })).not.toContain('check');
  },
);

test('a request might have succeeded only as long as its outcome is unknown', () => {
  expect(formatStop(new HttpError(sent, { status: 500 }), { ...failed, state: 'unknown' })).toMatch(
    /^Outcome unknown: .* It might have succeeded\. Check before you try again\.$/,
  );
  expect(formatStop(new Error('Canceled.'), { ...failed, state: 'unknown' })).toBe(
    'Error: Canceled. The outcome of the last request is unknown.',
  );
});
