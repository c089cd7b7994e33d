import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { HttpError, PayloadError } from '../../../../src/client/errors.ts';
import { formatStopReason } from '../../../../src/changes/messages/stopReason.ts';
import { RulesRefusedError } from '../../../../src/changes/run/writeErrors.ts';
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

test('a rule that the platform does not allow was not sent', () => {
  expect(format(refuse(new PayloadError('wrong-type', ['shares']), rule))).toBe(
    "A rule on Stores.Region was rejected: the platform doesn't allow it",
  );
});
