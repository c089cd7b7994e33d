import { expect, test } from 'vitest';
import {
  getDeniedScopes,
  type RequestResult,
  type RuleScope,
  type SentRequest,
} from '../../../../src/changes/model/sentRequest.ts';

const scope: RuleScope = { table: 'Orders', column: 'Status', parties: [{ type: 'group', id: 'sales' }] };

const createRequest = (
  result: Omit<RequestResult, 'ms'> | undefined,
  scopes: Pick<SentRequest, 'addedDenials' | 'removedDenials'> = {
    addedDenials: [scope],
    removedDenials: [],
  },
): SentRequest => ({
  writeIndex: 0,
  method: 'POST',
  path: '/rules',
  ...scopes,
  result: result && { ...result, ms: 1 },
});

test.each([
  ['is unanswered', undefined, 'perhaps'],
  ['has succeeded', { state: 'done', status: 200 }, 'yes'],
  ['has lost its response', { state: 'unknown' }, 'perhaps'],
  ['was answered with 429', { state: 'failed', status: 429 }, 'perhaps'],
  ['was refused', { state: 'failed', status: 403 }, 'no'],
  ['was not sent', { state: 'not-sent' }, 'no'],
] as const)(
  'whether a temporary deny rule is in force if its request %s (%j): %s',
  (_name, result, denies) => {
    expect(getDeniedScopes([createRequest(result)])).toEqual(
      denies === 'no' ? [] : [{ ...scope, isCertain: denies === 'yes' }],
    );
  },
);

test('a temporary deny rule whose deletion was answered with 429 may still be in force', () => {
  const added = createRequest({ state: 'done', status: 201 });
  const deletion = { addedDenials: [], removedDenials: [scope] };
  expect(getDeniedScopes([added, createRequest({ state: 'failed', status: 429 }, deletion)])).toEqual([
    { ...scope, isCertain: false },
  ]);
  expect(getDeniedScopes([added, createRequest({ state: 'done', status: 204 }, deletion)])).toEqual([]);
});
